"""The one module that reads the environment and the `.env` file."""

from ipaddress import ip_address
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, SecretStr, ValidationError, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from interviewer.errors import SettingsError


def _web_address(address: str) -> str:
    parsed = urlsplit(address)
    usable = parsed.scheme in ("http", "https") and parsed.hostname and not parsed.query and not parsed.fragment
    if address and not usable:
        raise ValueError("it has to be an address such as https://practice.example.org")
    return address


def _long_enough(secret: SecretStr) -> SecretStr:
    if 0 < len(secret.get_secret_value()) < 32:
        raise ValueError("it needs at least 32 characters")
    return secret


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
        chat_timeout: Seconds without a byte from the model before it counts as stalled; where it is not set, a model on
            this machine has until `chat_deadline`.
        chat_deadline: Seconds for one whole reply.
        host: Address the page binds to.
        port: Port of the page.
        team: Whether people have to sign in; the first start makes a link for the owner.
        public_url: Where people reach the page, such as `https://practice.example.org`; links begin with it. Empty for
            `http://host:port`.
        secret: What cookies are signed with, at least 32 characters; empty for one made and kept in `home`.
        oidc_issuer: Address of an OpenID provider; empty for none.
        oidc_client_id: What the provider calls this installation.
        oidc_client_secret: What proves it.
        oidc_name: What the button says, such as the company's name.
        oidc_domains: Domains, separated by commas, whose people the provider may bring without an invitation.
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
    team: bool = False
    public_url: Annotated[str, AfterValidator(_web_address)] = ""
    secret: Annotated[SecretStr, AfterValidator(_long_enough)] = SecretStr("")
    oidc_issuer: Annotated[str, AfterValidator(_web_address)] = ""
    oidc_client_id: str = ""
    oidc_client_secret: SecretStr = SecretStr("")
    oidc_name: str = "OpenID"
    oidc_domains: str = ""

    @model_validator(mode="after")
    def _ours_before_the_ecosystems(self) -> "Settings":
        """A general key in the environment must not go to an endpoint that `.env` has a key of its own for."""
        self.chat_base_url = self.chat_base_url or self.openai_base_url
        if not self.chat_api_key.get_secret_value():
            self.chat_api_key = self.openai_api_key
        return self

    @model_validator(mode="after")
    def _a_provider_is_whole(self) -> "Settings":
        if bool(self.oidc_issuer) != bool(self.oidc_client_id):
            raise ValueError("INTERVIEWER_OIDC_ISSUER and INTERVIEWER_OIDC_CLIENT_ID go together")
        return self

    @property
    def allowed_domains(self) -> frozenset[str]:
        """`oidc_domains`, each in lower case."""
        return frozenset(part.strip().lower() for part in self.oidc_domains.split(",") if part.strip())

    def link(self, path: str) -> str:
        """The address of a path that begins with `/`, as people reach it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return (self.public_url.rstrip("/") or f"http://{host}:{self.port}") + path

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


def check_bind_address(host: str, *, team: bool = False) -> None:
    """Refuses to serve beyond this machine where nobody has to sign in.

    Args:
        team: Whether people have to.

    Raises:
        SettingsError: if they need not and `host` is not a loopback address.
    """
    if not team and not is_loopback(host):
        raise SettingsError(
            f"The page would be open to everyone at {host}, and nobody has to sign in.",
            next_step="Set INTERVIEWER_TEAM=1 so that people sign in, or bind to 127.0.0.1 and use a tunnel.",
        )


def is_loopback(host: str) -> bool:
    """Whether an address or name is this machine's own."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
