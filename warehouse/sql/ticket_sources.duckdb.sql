-- $account = default
-- $timezone = Europe/Warsaw
-- $stored_grain = day
-- $stored_split = group
-- $stored_value_1 = 1
-- $from_day = 2026-03-01
-- $to_day = 2026-03-31
with reported as (
  select
    date_trunc('day', cast(r.day as timestamp)) as period,
    sum(r.tickets_from_chat_window) as chat_window,
    sum(r.tickets_from_mail) as mail,
    sum(r.tickets_from_chat) as chat
  from reports.ticket_sources as r
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
    reported.period as period,
    coalesce(reported.chat_window, 0) as chat_window,
    coalesce(reported.mail, 0) as mail,
    coalesce(reported.chat, 0) as chat
  from reported
)
select
  strftime(period, '%Y-%m-%d') as period,
  chat_window as tickets_from_chat_window,
  mail as tickets_from_mail,
  chat as tickets_from_chat
from parts
order by period;
