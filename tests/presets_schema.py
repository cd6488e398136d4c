#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Validates the schemas, and validates every preset and the given files against the JSON Schema that each one names."""

import json
import pathlib
import re
import sys
import warnings

with warnings.catch_warnings():
    # Releases of jsonschema newer than the one in Debian 12 warn that RefResolver is deprecated.
    warnings.simplefilter("ignore", DeprecationWarning)
    import jsonschema
    from jsonschema import Draft7Validator, RefResolver


def schemas_in(folder):
    schemas = {}
    for file in sorted(folder.glob("*.schema.json")):
        schema = json.loads(file.read_text(encoding="utf-8"))
        Draft7Validator.check_schema(schema)
        schemas[file.name] = schema
    return schemas


def problems_of(file, schemas):
    document = json.loads(file.read_text(encoding="utf-8"))
    named = re.fullmatch(r"meshwright\.([a-z]+)/1", str(document.get("schema")))
    schema = schemas.get(f"{named.group(1)}.schema.json") if named else None
    if schema is None:
        return [f"{file}: /schema: {document.get('schema')!r} names no schema"]
    resolver = RefResolver("", schema, store=dict(schemas))
    errors = Draft7Validator(schema, resolver=resolver).iter_errors(document)
    return [f"{file}: /{'/'.join(map(str, error.absolute_path))}: {error.message}" for error in errors]


def main():
    presets = pathlib.Path(sys.argv[1])
    schemas = schemas_in(presets / "schema")
    problems = []
    count = 0
    for folder in sorted(path for path in presets.iterdir() if path.is_dir() and path.name != "schema"):
        for file in sorted(folder.glob("*.json")):
            count += 1
            problems += problems_of(file, schemas)
    for file in map(pathlib.Path, sys.argv[2:]):
        count += 1
        problems += problems_of(file, schemas)
    print("\n".join(problems) if problems else f"{count} files agree with {len(schemas)} schemas")
    return 1 if problems or count == 0 else 0


if __name__ == "__main__":
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        sys.exit(main())
