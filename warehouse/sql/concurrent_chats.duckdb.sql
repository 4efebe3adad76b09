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
    greatest(c.started_second, 1772319600) as opened,
    least(greatest(c.ended_second, c.started_second + 1), 1774994400) as closed
  from facts.chats as c
  where c.account = 'default'
    and c.ended_second >= 1772319600
    and c.started_second < 1774994400
    and c.chat_id in (select of_group.chat_id from facts.chat_groups as of_group where of_group.account = 'default' and of_group.group_id in ($group_1) and of_group.started_quarter >= (select min(c.started_quarter) from facts.chats as c where c.account = 'default' and c.ended_second >= 1772319600 and c.started_second < 1774994400) and of_group.started_quarter <= cast(1774994400 // 900 as integer))
    and greatest(greatest(c.ended_second, c.started_second + 1), c.started_second + 1) > 1772319600
),
edges as (
  select opened as second, 1 as delta from open
  union all
  select closed as second, -1 as delta from open
  union all
  select second, 0 as delta from borders
),
stretches as (
  select
    second,
    sum(delta) over (order by second rows between unbounded preceding and current row) as level,
    coalesce(lead(second) over (order by second), 1774994400) - second as length
  from edges
),
by_cell as (
  select
    (quarter + case when quarter < 1971940 then 4 else 8 end) // 96 as cell,
    max(level) as highest,
    sum(level * length) as chat_seconds,
    sum(length) as whole_seconds
  from (select *, cast(second // 900 as integer) as quarter from stretches where length > 0) as stretches
  group by cell
),
archived as (
  select
    make_timestamp((cell * 96)::bigint * 900000000) as period,
    highest,
    chat_seconds,
    whole_seconds
  from by_cell
),
parts as (
  select
    archived.period as period,
    archived.highest as highest,
    coalesce(archived.chat_seconds, 0) as chat_seconds,
    coalesce(archived.whole_seconds, 0) as whole_seconds
  from archived
)
select
  strftime(period, '%Y-%m-%d') as period,
  coalesce(highest, 0) as most,
  cast(chat_seconds as double precision) / nullif(whole_seconds, 0) as mean
from parts
order by period;
