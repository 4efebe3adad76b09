"""Five numbers of a range of days with the package duckdb, from the published file: FILE FROM TO."""
import json
import sys
from pathlib import Path

import duckdb

file, first, last = sys.argv[1:]
question = Path(__file__).with_name("questions.sql").read_text()
with duckdb.connect(file, read_only=True) as connection:
    row = connection.execute(question, {"from": first, "to": last}).fetchone()
    names = [column[0] for column in connection.description]
print(json.dumps(dict(zip(names, row))))
