"""The same in LibreOffice Calc without a window, which opens the CSV of three metrics by their addresses: URL FROM TO."""
import csv
import json
import subprocess
import sys
import tempfile
from pathlib import Path

url, first, last = sys.argv[1:]


def metric(name: str) -> list[dict[str, str]]:
    address = f"{url}/api/metrics/{name}.csv?from={first}&to={last}&grain=day"
    with tempfile.TemporaryDirectory() as folder:
        home = f"-env:UserInstallation=file://{folder}/home"
        for form, opened in [("xlsx", address), ("csv", f"{folder}/{name}.xlsx")]:
            words = ["soffice", home, "--headless", "--convert-to", form, "--outdir", folder, opened]
            subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return list(csv.DictReader(Path(folder, f"{name}.csv").open(encoding="utf-8-sig")))


chats = [int(row["chats"]) for row in metric("total_chats")]
ratings = metric("chat_ratings")
good, bad = (sum(int(row[name]) for row in ratings) for name in ["good", "bad"])
answered = [(int(row["count"]), float(row["seconds"])) for row in metric("first_response_time") if row["seconds"]]
seconds = sum(count * mean for count, mean in answered) / sum(count for count, _ in answered)
print(json.dumps({"chats": sum(chats), "busiest_day": max(chats), "good": good, "csat": good / (good + bad),
                  "first_response_seconds": seconds}))
