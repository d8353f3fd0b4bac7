"""What all tests share."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# A slow machine is no failure; CI tries the same examples every time, a developer's run looks for new ones.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("patient"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "patient")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of shared material beside the checkout; a clone made elsewhere has none."""
    folder = Path(__file__).resolve().parents[2] / "shared"
    if not folder.is_dir():
        pytest.skip("no shared/ folder stands beside this checkout")
    return folder


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads or writes what belongs to the person who runs it, or asks the model they configured."""
    for name in [name for name in os.environ if name.startswith(("INTERVIEWER_", "OPENAI_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("INTERVIEWER_HOME", str(tmp_path_factory.mktemp("home")))
