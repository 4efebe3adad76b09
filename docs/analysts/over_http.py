"""The same over HTTP with nothing but Python, by `POST /api/sql`: URL FROM TO, and a token in CHATLEDGER_TOKEN where people sign in."""
import json
import os
import sys
from pathlib import Path
from urllib.request import Request, urlopen

url, first, last = sys.argv[1:]
question = Path(__file__).with_name("questions.sql").read_text()
headers = {"content-type": "application/json"}
if token := os.environ.get("CHATLEDGER_TOKEN"):
    headers["authorization"] = f"Bearer {token}"
body = json.dumps({"statement": question, "parameters": {"from": first, "to": last}}).encode()
with urlopen(Request(f"{url}/api/sql", data=body, headers=headers)) as response:
    answer = json.load(response)
print(json.dumps(dict(zip([column["name"] for column in answer["columns"]], answer["rows"][0]))))
