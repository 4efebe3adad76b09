"""The same with polars, from the Parquet files of `chatledger export`: FOLDER FROM TO."""
import json
import sys
from datetime import date

import polars as pl

folder, first, last = sys.argv[1], date.fromisoformat(sys.argv[2]), date.fromisoformat(sys.argv[3])


def metric(name: str) -> pl.LazyFrame:
    files = pl.scan_parquet(f"{folder}/metrics.{name}/*/*.parquet")
    return files.filter(pl.col("day").is_between(first, last))


chats = metric("total_chats").select(chats=pl.sum("chats"), busiest_day=pl.max("chats"))
ratings = metric("chat_ratings").select(good=pl.sum("good"), csat=pl.sum("good") / (pl.sum("good") + pl.sum("bad")))
responses = metric("first_response_time").select(
    first_response_seconds=(pl.col("count") * pl.col("seconds")).sum() / pl.sum("count")
)
answer = {}
for part in pl.collect_all([chats, ratings, responses]):
    answer |= part.row(0, named=True)
print(json.dumps(answer))
