-- $account = default
-- $timezone = Europe/Warsaw
-- $stored_grain = day
-- $stored_split = group
-- $stored_value_1 = 1
-- $from_day = 2026-03-01
-- $to_day = 2026-03-31
with reported as (
  select
    date_trunc('day', cast(r.day as timestamp)) as period,
    sum(r."count") as answered,
    sum(r."count" * r.hours) as total_hours
  from reports.ticket_first_response_time as r
  where r.account = $account
    and r.timezone = $timezone
    and r.grain = $stored_grain
    and r.split = $stored_split
    and r.split_value in ($stored_value_1)
    and r.day >= cast($from_day as date)
    and r.day <= cast($to_day as date)
  group by date_trunc('day', cast(r.day as timestamp))
),
parts as (
  select
    reported.period as period,
    coalesce(reported.answered, 0) as answered,
    coalesce(reported.total_hours, 0) as total_hours
  from reported
)
select
  strftime(period, '%Y-%m-%d') as period,
  answered as count,
  cast(total_hours as double precision) / nullif(answered, 0) as hours
from parts
order by period;
