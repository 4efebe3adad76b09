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
    by_tag.tag as "tag",
    count(*) as all_chats
  from facts.chat_groups as c
  left join facts.chat_tags as by_tag on by_tag.chat_id = c.chat_id and by_tag.account = $account and by_tag.started_quarter >= $first and by_tag.started_quarter < $last
  where c.account = $account
    and c.started_quarter >= $first
    and c.started_quarter < $last
    and c.group_id in ($group_1)
  group by c.started_quarter, "tag"
),
archived as (
  select
    period,
    "tag",
    sum(all_chats) as all_chats
  from by_quarter
  join cells using (quarter)
  group by period, "tag"
),
parts as (
  select
    archived.period as period,
    archived."tag" as "tag",
    coalesce(archived.all_chats, 0) as all_chats
  from archived
)
select
  strftime(period, '%Y-%m-%d') as period,
  "tag",
  all_chats as chats
from parts
order by period, "tag";
