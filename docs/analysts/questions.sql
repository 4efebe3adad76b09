-- Five numbers of a range of days, both ends included.
select
  (select sum(chats) from metrics.total_chats where day between $from and $to)::int as chats,
  (select max(chats) from metrics.total_chats where day between $from and $to)::int as busiest_day,
  (select sum(good) from metrics.chat_ratings where day between $from and $to)::int as good,
  (select sum(good) / sum(good + bad) from metrics.chat_ratings where day between $from and $to) as csat,
  (select sum(count * seconds) / sum(count) from metrics.first_response_time where day between $from and $to)
    as first_response_seconds
