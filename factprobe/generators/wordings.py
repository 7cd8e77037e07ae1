"""Files of templates: a relation's further wordings, by its id."""

from __future__ import annotations

import msgspec

from factprobe.config import path_of
from factprobe.errors import DataError
from factprobe.storage import BOM, open_utf8

_MEND = 'it holds lists of templates by relation: P19: ["[X] was born in [Y].", ...]'


def read_templates(path: str) -> dict[str, tuple[str, ...]]:
    """The templates of a YAML or JSON file by relation; one alone may stand without a list.

    Raises:
        DataError: it cannot be read, or holds something else.
        ConfigError: its aliases stand for too much.
    """
    import yaml

    from factprobe.config.files import from_yaml  # what reads YAML comes with Hydra

    file = path_of(path)
    with open_utf8(file) as opened:
        content = opened.read()
    try:
        loaded = from_yaml(content.removeprefix(BOM).decode(), path)
        found = msgspec.convert(loaded or {}, dict[str, str | tuple[str, ...]])
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError, msgspec.ValidationError) as error:
        raise DataError(f"is broken: {' '.join(str(error).split())}", where=file, mend=_MEND) from error
    return {name: (texts,) if isinstance(texts, str) else texts for name, texts in found.items()}
