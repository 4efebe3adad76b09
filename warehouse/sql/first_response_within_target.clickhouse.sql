-- $group_1 = 1
with by_quarter as (
  select
    c.started_quarter as quarter,
    count(c.first_response_seconds) as counted,
    count(*) filter (where c.first_response_seconds <= 30) as in_time
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
    sum(counted) as counted,
    sum(in_time) as in_time
  from by_quarter
  group by period
),
parts as (
  select
    archived.period as period,
    coalesce(archived.counted, 0) as counted,
    coalesce(archived.in_time, 0) as in_time
  from archived
)
select
  formatDateTime(period, '%Y-%m-%d') as period,
  in_time as within,
  counted - in_time as missed,
  counted as counted,
  cast(in_time as double precision) / nullif(counted, 0) as share
from parts
order by period;
