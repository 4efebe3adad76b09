-- $first = 1969244
-- $last = 1972216
-- $account = default
-- $group_1 = 1
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
    count(c.queue_seconds) as entered
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
    sum(entered) as entered
  from by_quarter
  join cells using (quarter)
  group by period
),
reported as (
  select
    date_trunc('day', cast(r.day as timestamp)) as period,
    sum(r.left_queue) as gone
  from reports.queued_visitors as r
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
    coalesce(reported.gone, 0) as gone
  from archived
  full join reported on archived.period = reported.period
)
select
  strftime(period, '%Y-%m-%d') as period,
  entered + gone as queued,
  entered as entered_chat,
  gone as left_queue,
  cast(gone as double precision) / nullif(entered + gone, 0) as abandonment
from parts
order by period;
