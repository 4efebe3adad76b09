-- $first = 1969244
-- $last = 1972216
-- $account = default
-- $group_1 = 1
with cells as (
  select quarter, date_trunc('day', local) as period
  from (select quarter, make_timestamp((case when quarter < 1971940 then quarter + 4 else quarter + 8 end)::bigint * 900000000) as local from (select cast(range as integer) as quarter from range($first, $last)) as series) as locals
),
archived as (
  select
    cells.period,
    count(c.first_response_seconds) as counted,
    sum(c.first_response_seconds) as total_seconds,
    quantile_cont(c.first_response_seconds, 0.5) as q50,
    quantile_cont(c.first_response_seconds, 0.9) as q90,
    quantile_cont(c.first_response_seconds, 0.95) as q95
  from facts.chats as c
  join cells on cells.quarter = c.started_quarter
  where c.account = $account
    and c.started_quarter >= $first
    and c.started_quarter < $last
    and c.chat_id in (select of_group.chat_id from facts.chat_groups as of_group where of_group.account = $account and of_group.group_id in ($group_1) and of_group.started_quarter >= $first and of_group.started_quarter < $last)
  group by period
),
parts as (
  select
    archived.period as period,
    coalesce(archived.counted, 0) as counted,
    coalesce(archived.total_seconds, 0) as total_seconds,
    archived.q50 as q50,
    archived.q90 as q90,
    archived.q95 as q95
  from archived
)
select
  strftime(period, '%Y-%m-%d') as period,
  counted as count,
  cast(total_seconds as double precision) / nullif(counted, 0) as seconds,
  q50 as p50,
  q90 as p90,
  q95 as p95
from parts
order by period;
