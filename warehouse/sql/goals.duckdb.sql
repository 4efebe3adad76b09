-- $first = 1969244
-- $last = 1972216
-- $account = default
-- $group_1 = 1
with cells as (
  select quarter, date_trunc('day', local) as period
  from (select quarter, make_timestamp((case when quarter < 1971940 then quarter + 4 else quarter + 8 end)::bigint * 900000000) as local from (select cast(range as integer) as quarter from range($first, $last)) as series) as locals
),
by_quarter as (
  select
    g.reached_quarter as quarter,
    count(*) filter (where not g.is_sale_tracker) as reached,
    count(*) filter (where g.is_sale_tracker and g.price > 0 and g.currency is not null and g.currency <> '' and true) as sold,
    sum(g.price) filter (where g.is_sale_tracker and g.price > 0 and g.currency is not null and g.currency <> '' and true) as turnover
  from facts.chat_goals as g
  where g.account = $account
    and g.reached_quarter >= $first
    and g.reached_quarter < $last
    and g.chat_id in (select of_group.chat_id from facts.chat_groups as of_group where of_group.account = $account and of_group.group_id in ($group_1) and of_group.started_quarter >= (select min(g.started_quarter) from facts.chat_goals as g where g.account = $account and g.reached_quarter >= $first and g.reached_quarter < $last) and of_group.started_quarter <= (select max(g.started_quarter) from facts.chat_goals as g where g.account = $account and g.reached_quarter >= $first and g.reached_quarter < $last))
  group by g.reached_quarter
),
archived as (
  select
    period,
    sum(reached) as reached,
    sum(sold) as sold,
    sum(turnover) as turnover
  from by_quarter
  join cells using (quarter)
  group by period
),
parts as (
  select
    archived.period as period,
    coalesce(archived.reached, 0) as reached,
    coalesce(archived.sold, 0) as sold,
    coalesce(archived.turnover, 0) as turnover
  from archived
)
select
  strftime(period, '%Y-%m-%d') as period,
  reached as goals,
  sold as sales_count,
  coalesce(turnover, 0) as value
from parts
order by period;
