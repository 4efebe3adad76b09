-- $group_1 = 1
-- $stored_value_1 = 1
with by_quarter as (
  select
    c.started_quarter as quarter,
    count(c.queue_seconds) as entered,
    count(*) filter (where c.queue_seconds <= 30) as in_time
  from facts.chat_groups as c
  where c.account = 'default'
    and c.started_quarter >= 1969244
    and c.started_quarter < 1972216
    and c.group_id in ({group_1:Int32})
  group by c.started_quarter
),
archived as (
  select
    fromUnixTimestamp64Micro(toInt64(intDiv((quarter + case when quarter < 1971940 then 4 else 8 end), 96) * 96) * 900000000, 'UTC') as period,
    sum(entered) as entered,
    sum(in_time) as in_time
  from by_quarter
  group by period
),
reported as (
  select
    cast(date_trunc('day', cast(r.day as DateTime64(6, 'UTC'))) as DateTime64(6, 'UTC')) as period,
    sum(r.left_queue_count) as gone,
    sum(case when r.left_queue_count = 0 then 0 when r.left_queue_max <= 30 then r.left_queue_count when r.left_queue_min > 30 then 0 else greatest(1, least(cast(r.left_queue_count - 1 as double precision), ceil(((r.left_queue_count - 1) * (30 + 1) + r.left_queue_max - r.left_queue_count * (r.left_queue_average + 0.5)) / (30 + 1 - r.left_queue_min)))) end) as gone_early_fewest,
    sum(case when r.left_queue_count = 0 then 0 when r.left_queue_max <= 30 then r.left_queue_count when r.left_queue_min > 30 then 0 else greatest(1, least(cast(r.left_queue_count - 1 as double precision), floor((r.left_queue_min - 30 + r.left_queue_count * r.left_queue_max - r.left_queue_count * (r.left_queue_average - 0.5)) / (r.left_queue_max - 30)))) end) as gone_early_most
  from reports.waiting_times as r
  where r.account = 'default'
    and r.timezone = 'Europe/Warsaw'
    and r.grain = 'day'
    and r.split = 'group'
    and r.split_value in ({stored_value_1:String})
    and r.day >= cast('2026-03-01' as date)
    and r.day <= cast('2026-03-31' as date)
  group by cast(date_trunc('day', cast(r.day as DateTime64(6, 'UTC'))) as DateTime64(6, 'UTC'))
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
  formatDateTime(period, '%Y-%m-%d') as period,
  cast(in_time as double precision) / nullif(entered, 0) as answered_within,
  entered as entered_chat_count,
  cast(in_time as double precision) / nullif(entered + gone - gone_early_fewest, 0) as low,
  cast(in_time as double precision) / nullif(entered + gone - gone_early_most, 0) as high
from parts
order by period;
