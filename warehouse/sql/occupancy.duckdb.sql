-- $group_1 = 1
with cells as (
  select quarter, make_timestamp(((quarter + case when quarter < 1971940 then 4 else 8 end) // 96 * 96)::bigint * 900000000) as period
  from (select cast(range as integer) as quarter from range(1969244, 1972216)) as series
),
borders as (
  select greatest(cast(quarter as bigint) * 900, 1772319600) as second
  from (select quarter, period, lag(period) over (order by quarter) as period_before from cells) as neighbours
  where period <> period_before or period_before is null
),
open as (
  select
    by_agent.agent as "agent",
    greatest(c.started_second, 1772319600) as opened,
    least(c.ended_second, 1774994400) as closed
  from facts.chats as c
  join facts.chat_agents as by_agent on by_agent.chat_id = c.chat_id and by_agent.started_quarter = c.started_quarter and by_agent.account = 'default'
  where c.account = 'default'
    and c.ended_second >= 1772319600
    and c.started_second < 1774994400
    and greatest(c.ended_second, c.started_second + 1) > 1772319600
),
edges as (
  select "agent", opened as second, 1 as delta from open
  union all
  select "agent", closed as second, -1 as delta from open
  union all
  select "agent", second, 0 as delta from borders cross join (select distinct "agent" from open) as whose
),
stretches as (
  select
    "agent",
    second,
    sum(delta) over (partition by "agent" order by second rows between unbounded preceding and current row) as level,
    coalesce(lead(second) over (partition by "agent" order by second), 1774994400) - second as length
  from edges
),
by_cell as (
  select
    (quarter + case when quarter < 1971940 then 4 else 8 end) // 96 as cell,
    "agent",
    sum(case when level > 0 then length else 0 end) as busy_seconds,
    sum(level * length) as chat_seconds
  from (select *, cast(second // 900 as integer) as quarter from stretches where length > 0) as stretches
  group by cell, "agent"
),
archived as (
  select
    make_timestamp((cell * 96)::bigint * 900000000) as period,
    "agent",
    busy_seconds,
    chat_seconds
  from by_cell
),
reported as (
  select
    date_trunc('day', cast(r.day as timestamp)) as period,
    r.split_value as "agent",
    sum(cast(round(case when r.hours > 4000000000 then 4000000000 else r.hours end * 1000000000) as bigint)) as available
  from reports.availability as r
  where r.account = 'default'
    and r.timezone = 'Europe/Warsaw'
    and r.grain = 'day'
    and r.split = 'agent'
    and r.day >= cast('2026-03-01' as date)
    and r.day <= cast('2026-03-31' as date)
    and r.split_value in (select m.login from account.group_agents as m where m.account = 'default' and m.group_id in ($group_1))
  group by date_trunc('day', cast(r.day as timestamp)), r.split_value
),
parts as (
  select
    reported.period as period,
    reported."agent" as "agent",
    coalesce(archived.busy_seconds, 0) as busy_seconds,
    coalesce(archived.chat_seconds, 0) as chat_seconds,
    coalesce(reported.available, 0) as available
  from reported
  left join archived on archived.period = reported.period and archived."agent" = reported."agent"
),
together as (
  select
    period,
    coalesce(sum(busy_seconds), 0) as busy_seconds,
    coalesce(sum(chat_seconds), 0) as chat_seconds,
    coalesce(sum(available), 0) as available
  from parts
  group by period
)
select
  strftime(period, '%Y-%m-%d') as period,
  (busy_seconds / cast(3600 as double precision)) / nullif(cast(available as double precision) / 1000000000, 0) as occupancy,
  (chat_seconds / cast(3600 as double precision)) / nullif(cast(available as double precision) / 1000000000, 0) as at_once,
  busy_seconds / cast(3600 as double precision) as chatting,
  cast(available as double precision) / 1000000000 as available
from together
order by period;
