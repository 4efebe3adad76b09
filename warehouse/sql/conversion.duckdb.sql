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
    c.started_quarter as quarter,
    count(*) as all_chats,
    count(*) filter (where sold.chat_id is not null) as selling,
    coalesce(sum(sold.turnover), 0) as turnover
  from facts.chats as c
  left join (select g.chat_id, sum(g.price) as turnover from facts.chat_goals as g where g.account = $account and g.started_quarter >= $first and g.started_quarter < $last and g.is_sale_tracker and g.price > 0 and g.currency is not null and g.currency <> '' group by g.chat_id) as sold on sold.chat_id = c.chat_id
  where c.account = $account
    and c.started_quarter >= $first
    and c.started_quarter < $last
    and c.chat_id in (select of_group.chat_id from facts.chat_groups as of_group where of_group.account = $account and of_group.group_id in ($group_1) and of_group.started_quarter >= $first and of_group.started_quarter < $last)
  group by c.started_quarter
),
archived as (
  select
    period,
    sum(all_chats) as all_chats,
    sum(selling) as selling,
    sum(turnover) as turnover
  from by_quarter
  join cells using (quarter)
  group by period
),
parts as (
  select
    archived.period as period,
    coalesce(archived.all_chats, 0) as all_chats,
    coalesce(archived.selling, 0) as selling,
    coalesce(archived.turnover, 0) as turnover
  from archived
)
select
  strftime(period, '%Y-%m-%d') as period,
  selling as chats_with_sale,
  cast(selling as double precision) / nullif(all_chats, 0) as rate,
  cast(turnover as double precision) / nullif(all_chats, 0) as revenue_per_chat
from parts
order by period;
