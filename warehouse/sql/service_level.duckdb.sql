-- $first = 1969244
-- $last = 1972216
-- $account = default
-- $group_1 = 1
-- $target = 30
-- $timezone = Europe/Warsaw
-- $stored_grain = day
-- $stored_split = group
-- $stored_value_1 = 1
-- $from_day = 2026-03-01
-- $to_day = 2026-03-31
with cells as (
  select quarter, date_trunc('day', local) as period
  from (select quarter, make_timestamp((case when quarter < 1971940 then quarter + 4 else quarter + 8 end)::bigint * 900000000) as local from (select cast(range as integer) as quarter from range($first, $last)) as series) as locals
),
by_quarter as (
  select
    c.started_quarter as quarter,
    count(c.queue_seconds) as entered,
    count(*) filter (where c.queue_seconds <= $target) as in_time
  from facts.chats as c
  where c.account = $account
    and c.started_quarter >= $first
    and c.started_quarter < $last
    and c.chat_id in (select of_group.chat_id from facts.chat_groups as of_group where of_group.account = $account and of_group.group_id in ($group_1) and of_group.started_quarter >= $first and of_group.started_quarter < $last)
  group by c.started_quarter
),
archived as (
  select
    period,
    sum(entered) as entered,
    sum(in_time) as in_time
  from by_quarter
  join cells using (quarter)
  group by period
),
reported as (
  select
    date_trunc('day', cast(r.day as timestamp)) as period,
    sum(r.left_queue_count) as gone,
    sum(case when r.left_queue_count = 0 then 0 when r.left_queue_max <= $target then r.left_queue_count when r.left_queue_min > $target then 0 else greatest(1, least(r.left_queue_count - 1, ceil(((r.left_queue_count - 1) * ($target + 1) + r.left_queue_max - r.left_queue_count * (r.left_queue_average + 0.5)) / ($target + 1 - r.left_queue_min)))) end) as gone_early_fewest,
    sum(case when r.left_queue_count = 0 then 0 when r.left_queue_max <= $target then r.left_queue_count when r.left_queue_min > $target then 0 else greatest(1, least(r.left_queue_count - 1, floor((r.left_queue_min - $target + r.left_queue_count * r.left_queue_max - r.left_queue_count * (r.left_queue_average - 0.5)) / (r.left_queue_max - $target)))) end) as gone_early_most
  from reports.waiting_times as r
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
    coalesce(archived.period, reported.period) as period,
    coalesce(archived.entered, 0) as entered,
    coalesce(archived.in_time, 0) as in_time,
    coalesce(reported.gone, 0) as gone,
    coalesce(reported.gone_early_fewest, 0) as gone_early_fewest,
    coalesce(reported.gone_early_most, 0) as gone_early_most
  from archived
  full join reported on archived.period = reported.period
)
select
  strftime(period, '%Y-%m-%d') as period,
  cast(in_time as double precision) / nullif(entered, 0) as answered_within,
  cast(in_time as double precision) / nullif(entered + gone - gone_early_fewest, 0) as low,
  cast(in_time as double precision) / nullif(entered + gone - gone_early_most, 0) as high
from parts
order by period;
