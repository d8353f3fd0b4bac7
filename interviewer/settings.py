"""The one module that reads the environment and the `.env` file."""

from ipaddress import ip_address
from pathlib import Path

from pydantic import Field, SecretStr, ValidationError, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from interviewer.errors import SettingsError


class Settings(BaseSettings):
    """Everything that can be configured; each field is read from `INTERVIEWER_<NAME>`.

    Attributes:
        home: Folder of the database, the index and uploads; made on first use.
        database_url: SQLAlchemy URL; empty for SQLite in `home`.
        chroma_url: Chroma server, such as `http://127.0.0.1:8000`; empty for the embedded store in `home`.
        embedding_model: Name or path of a sentence-transformers model; empty for the built-in default.
        chat_model: Name of the chat model; empty to use the built-in grader only.
        chat_base_url: OpenAI-compatible endpoint; `openai_base_url` where it is empty.
        chat_api_key: Key for it; `openai_api_key` where it is empty. A local server needs none.
        chat_timeout: Seconds without a byte from the model before it counts as stalled.
        chat_deadline: Seconds for one whole reply.
        host: Address the page binds to.
        port: Port of the page.
    """

    model_config = SettingsConfigDict(env_prefix="INTERVIEWER_", env_file=".env", extra="ignore", populate_by_name=True)

    home: Path = Path("~/.interviewer")
    database_url: str = ""
    chroma_url: str = ""
    embedding_model: str = ""
    chat_model: str = ""
    chat_base_url: str = ""
    chat_api_key: SecretStr = SecretStr("")
    openai_base_url: str = Field(default="", validation_alias="OPENAI_BASE_URL")
    openai_api_key: SecretStr = Field(default=SecretStr(""), validation_alias="OPENAI_API_KEY")
    chat_timeout: float = Field(default=30.0, gt=0, le=600)
    chat_deadline: float = Field(default=120.0, gt=0, le=3600)
    host: str = "127.0.0.1"
    port: int = Field(default=7860, ge=0, le=65535)

    @model_validator(mode="after")
    def _ours_before_the_ecosystems(self) -> "Settings":
        """A general key in the environment must not go to an endpoint that `.env` has a key of its own for."""
        self.chat_base_url = self.chat_base_url or self.openai_base_url
        if not self.chat_api_key.get_secret_value():
            self.chat_api_key = self.openai_api_key
        return self

    @property
    def folder(self) -> Path:
        """`home` with `~` expanded."""
        return self.home.expanduser()

    @property
    def database(self) -> str:
        """The database's URL, with the default filled in."""
        return self.database_url or f"sqlite:///{self.folder / 'interviewer.sqlite3'}"


def load_settings() -> Settings:
    """The settings of this process.

    Raises:
        SettingsError: naming the variable that does not make sense.
    """
    try:
        return Settings()
    except ValidationError as error:
        first = error.errors()[0]
        name = "_".join(str(part) for part in first["loc"]).upper().removeprefix("INTERVIEWER_")
        raise SettingsError(
            f"The setting INTERVIEWER_{name} can't be used: {first['msg']}.",
            next_step="Correct it in the environment or in .env.",
        ) from error


def check_bind_address(host: str) -> None:
    """Refuses to serve beyond this machine, since nobody has to sign in.

    Raises:
        SettingsError: if `host` is not a loopback address.
    """
    try:
        loopback = host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        loopback = False
    if not loopback:
        raise SettingsError(
            f"The page would be open to everyone at {host}, and nobody has to sign in.",
            next_step="Bind to 127.0.0.1, and reach it from elsewhere through an SSH tunnel or a proxy that signs in.",
        )
