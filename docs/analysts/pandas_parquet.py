"""The same with pandas and pyarrow, from the Parquet files of `chatledger export`: FOLDER FROM TO."""
import json
import sys
from datetime import date
from pathlib import Path

import pandas as pd

folder, first, last = sys.argv[1], date.fromisoformat(sys.argv[2]), date.fromisoformat(sys.argv[3])


def metric(name: str) -> pd.DataFrame:
    files = sorted(Path(folder).glob(f"metrics.{name}/*/*.parquet"))
    # Each file by itself: its folders hold no columns.
    rows = pd.concat([pd.read_parquet(file, partitioning=None) for file in files])
    days = pd.to_datetime(rows["day"]).dt.date
    return rows[(days >= first) & (days <= last)]


chats, ratings, responses = metric("total_chats"), metric("chat_ratings"), metric("first_response_time")
answer = {
    "chats": int(chats["chats"].sum()),
    "busiest_day": int(chats["chats"].max()),
    "good": int(ratings["good"].sum()),
    "csat": float(ratings["good"].sum() / (ratings["good"] + ratings["bad"]).sum()),
    "first_response_seconds": float((responses["count"] * responses["seconds"]).sum() / responses["count"].sum()),
}
print(json.dumps(answer))
