-- The tables of version 1, as that program made them: from here migrations begin.
create schema facts;
create schema reports;
create schema account;
create schema ledger;
create schema metrics;
create table facts.chats (
  "account" varchar not null,
  "chat_id" varchar not null,
  "started_at" timestamptz not null,
  "started_quarter" integer not null,
  "ended_at" timestamptz not null,
  "started_second" bigint not null,
  "ended_second" bigint not null,
  "duration_seconds" integer not null,
  "visitor_id" varchar not null,
  "visitor_name" varchar,
  "country" varchar,
  "country_code" varchar,
  "city" varchar,
  "region" varchar,
  "visitor_timezone" varchar,
  "rate" varchar not null,
  "engagement" varchar not null,
  "start_url" varchar,
  "referrer" varchar,
  "queue_seconds" integer,
  "is_replied" boolean not null,
  "message_count" integer not null,
  "first_response_seconds" integer,
  "first_response_agent" varchar,
  "response_seconds" double,
  "response_turns" integer not null,
  "source_timezone" varchar,
  "source" varchar not null,
  "content_hash" varchar,
  "pull_id" varchar not null
);
create table facts.messages (
  "account" varchar not null,
  "chat_id" varchar not null,
  "started_at" timestamptz not null,
  "started_quarter" integer not null,
  "position" integer not null,
  "at" timestamptz not null,
  "at_second" bigint not null,
  "kind" varchar not null,
  "user_type" varchar not null,
  "agent" varchar,
  "author_name" varchar,
  "event_type" varchar,
  "is_welcome" boolean not null,
  "text" varchar not null,
  "files" varchar
);
create table facts.chat_agents (
  "account" varchar not null,
  "chat_id" varchar not null,
  "started_at" timestamptz not null,
  "started_quarter" integer not null,
  "agent" varchar not null,
  "agent_name" varchar,
  "position" integer not null,
  "first_response_seconds" integer,
  "response_sum_seconds" double not null,
  "response_turns" integer not null
);
create table facts.chat_groups (
  "account" varchar not null,
  "chat_id" varchar not null,
  "started_at" timestamptz not null,
  "started_quarter" integer not null,
  "group_id" integer not null
);
create table facts.chat_tags (
  "account" varchar not null,
  "chat_id" varchar not null,
  "started_at" timestamptz not null,
  "started_quarter" integer not null,
  "tag" varchar not null
);
create table facts.chat_goals (
  "account" varchar not null,
  "chat_id" varchar not null,
  "started_at" timestamptz not null,
  "started_quarter" integer not null,
  "position" integer not null,
  "goal_id" integer not null,
  "goal_name" varchar,
  "is_sale_tracker" boolean not null,
  "reached_at" timestamptz not null,
  "reached_quarter" integer not null,
  "order_id" varchar,
  "order_description" varchar,
  "price" decimal(18, 4),
  "currency" varchar
);
create table facts.chat_surveys (
  "account" varchar not null,
  "chat_id" varchar not null,
  "started_at" timestamptz not null,
  "started_quarter" integer not null,
  "survey" varchar not null,
  "position" integer not null,
  "question" varchar not null,
  "answer" varchar not null,
  "question_id" varchar
);
create table reports.total_chats (
  "account" varchar not null,
  "timezone" varchar not null,
  "grain" varchar not null,
  "split" varchar not null,
  "split_value" varchar not null,
  "period" varchar not null,
  "day" date not null,
  "chats" integer not null,
  "pulled_at" timestamptz not null,
  "pull_id" varchar not null
);
create table reports.engagement (
  "account" varchar not null,
  "timezone" varchar not null,
  "grain" varchar not null,
  "split" varchar not null,
  "split_value" varchar not null,
  "period" varchar not null,
  "day" date not null,
  "chats_from_auto_invite" integer not null,
  "chats_from_manual_invite" integer not null,
  "chats_from_immediate_start" integer not null,
  "pulled_at" timestamptz not null,
  "pull_id" varchar not null
);
create table reports.not_replied_chats (
  "account" varchar not null,
  "timezone" varchar not null,
  "grain" varchar not null,
  "split" varchar not null,
  "split_value" varchar not null,
  "period" varchar not null,
  "day" date not null,
  "not_replied" integer not null,
  "pulled_at" timestamptz not null,
  "pull_id" varchar not null
);
create table reports.chat_ratings (
  "account" varchar not null,
  "timezone" varchar not null,
  "grain" varchar not null,
  "split" varchar not null,
  "split_value" varchar not null,
  "period" varchar not null,
  "day" date not null,
  "good" integer not null,
  "bad" integer not null,
  "chats" integer not null,
  "pulled_at" timestamptz not null,
  "pull_id" varchar not null
);
create table reports.chat_ranking (
  "account" varchar not null,
  "timezone" varchar not null,
  "grain" varchar not null,
  "split" varchar not null,
  "split_value" varchar not null,
  "period" varchar not null,
  "day" date not null,
  "agent" varchar not null,
  "good" integer not null,
  "bad" integer not null,
  "total" integer not null,
  "score" double not null,
  "pulled_at" timestamptz not null,
  "pull_id" varchar not null
);
create table reports.queued_visitors (
  "account" varchar not null,
  "timezone" varchar not null,
  "grain" varchar not null,
  "split" varchar not null,
  "split_value" varchar not null,
  "period" varchar not null,
  "day" date not null,
  "queued" integer not null,
  "entered_chat" integer not null,
  "left_queue" integer not null,
  "pulled_at" timestamptz not null,
  "pull_id" varchar not null
);
create table reports.waiting_times (
  "account" varchar not null,
  "timezone" varchar not null,
  "grain" varchar not null,
  "split" varchar not null,
  "split_value" varchar not null,
  "period" varchar not null,
  "day" date not null,
  "queued_count" integer not null,
  "queued_min" double,
  "queued_max" double,
  "queued_average" double,
  "entered_chat_count" integer not null,
  "entered_chat_min" double,
  "entered_chat_max" double,
  "entered_chat_average" double,
  "left_queue_count" integer not null,
  "left_queue_min" double,
  "left_queue_max" double,
  "left_queue_average" double,
  "pulled_at" timestamptz not null,
  "pull_id" varchar not null
);
create table reports.availability (
  "account" varchar not null,
  "timezone" varchar not null,
  "grain" varchar not null,
  "split" varchar not null,
  "split_value" varchar not null,
  "period" varchar not null,
  "day" date not null,
  "hours" double not null,
  "pulled_at" timestamptz not null,
  "pull_id" varchar not null
);
create table reports.chatting_time (
  "account" varchar not null,
  "timezone" varchar not null,
  "grain" varchar not null,
  "split" varchar not null,
  "split_value" varchar not null,
  "period" varchar not null,
  "day" date not null,
  "hours" double not null,
  "pulled_at" timestamptz not null,
  "pull_id" varchar not null
);
create table reports.first_response_time (
  "account" varchar not null,
  "timezone" varchar not null,
  "grain" varchar not null,
  "split" varchar not null,
  "split_value" varchar not null,
  "period" varchar not null,
  "day" date not null,
  "count" integer not null,
  "seconds" double,
  "pulled_at" timestamptz not null,
  "pull_id" varchar not null
);
create table reports.response_time (
  "account" varchar not null,
  "timezone" varchar not null,
  "grain" varchar not null,
  "split" varchar not null,
  "split_value" varchar not null,
  "period" varchar not null,
  "day" date not null,
  "count" integer not null,
  "seconds" double,
  "pulled_at" timestamptz not null,
  "pull_id" varchar not null
);
create table reports.agents_occupancy (
  "account" varchar not null,
  "timezone" varchar not null,
  "grain" varchar not null,
  "split" varchar not null,
  "split_value" varchar not null,
  "period" varchar not null,
  "day" date not null,
  "most" integer not null,
  "pulled_at" timestamptz not null,
  "pull_id" varchar not null
);
create table reports.goals (
  "account" varchar not null,
  "timezone" varchar not null,
  "grain" varchar not null,
  "split" varchar not null,
  "split_value" varchar not null,
  "period" varchar not null,
  "day" date not null,
  "sales_tracker" integer not null,
  "currency" varchar not null,
  "goals" integer,
  "sales_count" integer,
  "value" decimal(18, 4),
  "pulled_at" timestamptz not null,
  "pull_id" varchar not null
);
create table reports.greetings (
  "account" varchar not null,
  "timezone" varchar not null,
  "grain" varchar not null,
  "split" varchar not null,
  "split_value" varchar not null,
  "period" varchar not null,
  "day" date not null,
  "displayed" integer not null,
  "accepted" integer not null,
  "goals" integer not null,
  "pulled_at" timestamptz not null,
  "pull_id" varchar not null
);
create table reports.new_tickets (
  "account" varchar not null,
  "timezone" varchar not null,
  "grain" varchar not null,
  "split" varchar not null,
  "split_value" varchar not null,
  "period" varchar not null,
  "day" date not null,
  "new_tickets" integer not null,
  "pulled_at" timestamptz not null,
  "pull_id" varchar not null
);
create table reports.ticket_first_response_time (
  "account" varchar not null,
  "timezone" varchar not null,
  "grain" varchar not null,
  "split" varchar not null,
  "split_value" varchar not null,
  "period" varchar not null,
  "day" date not null,
  "count" integer not null,
  "hours" double,
  "pulled_at" timestamptz not null,
  "pull_id" varchar not null
);
create table reports.solved_tickets (
  "account" varchar not null,
  "timezone" varchar not null,
  "grain" varchar not null,
  "split" varchar not null,
  "split_value" varchar not null,
  "period" varchar not null,
  "day" date not null,
  "solved_tickets" integer not null,
  "pulled_at" timestamptz not null,
  "pull_id" varchar not null
);
create table reports.ticket_resolution_time (
  "account" varchar not null,
  "timezone" varchar not null,
  "grain" varchar not null,
  "split" varchar not null,
  "split_value" varchar not null,
  "period" varchar not null,
  "day" date not null,
  "count" integer not null,
  "hours" double,
  "pulled_at" timestamptz not null,
  "pull_id" varchar not null
);
create table reports.ticket_sources (
  "account" varchar not null,
  "timezone" varchar not null,
  "grain" varchar not null,
  "split" varchar not null,
  "split_value" varchar not null,
  "period" varchar not null,
  "day" date not null,
  "tickets_from_chat_window" integer not null,
  "tickets_from_mail" integer not null,
  "tickets_from_chat" integer not null,
  "pulled_at" timestamptz not null,
  "pull_id" varchar not null
);
create table reports.ticket_ratings (
  "account" varchar not null,
  "timezone" varchar not null,
  "grain" varchar not null,
  "split" varchar not null,
  "split_value" varchar not null,
  "period" varchar not null,
  "day" date not null,
  "good" integer not null,
  "bad" integer not null,
  "pulled_at" timestamptz not null,
  "pull_id" varchar not null
);
create table reports.ticket_ranking (
  "account" varchar not null,
  "timezone" varchar not null,
  "grain" varchar not null,
  "split" varchar not null,
  "split_value" varchar not null,
  "period" varchar not null,
  "day" date not null,
  "agent" varchar not null,
  "good" integer not null,
  "bad" integer not null,
  "total" integer not null,
  "score" double not null,
  "pulled_at" timestamptz not null,
  "pull_id" varchar not null
);
create table account.agents (
  "account" varchar not null,
  "login" varchar not null,
  "name" varchar not null,
  "permission" varchar not null,
  "status" varchar not null,
  "is_removed" boolean not null,
  "pulled_at" timestamptz not null
);
create table account.groups (
  "account" varchar not null,
  "group_id" integer not null,
  "name" varchar not null,
  "language" varchar not null,
  "status" varchar not null,
  "pulled_at" timestamptz not null
);
create table account.group_agents (
  "account" varchar not null,
  "group_id" integer not null,
  "login" varchar not null,
  "pulled_at" timestamptz not null
);
create table account.tags (
  "account" varchar not null,
  "name" varchar not null,
  "group_id" integer not null,
  "author" varchar not null,
  "created_at" timestamptz not null,
  "in_chats" integer not null,
  "in_tickets" integer not null,
  "pulled_at" timestamptz not null
);
create table account.goals (
  "account" varchar not null,
  "goal_id" integer not null,
  "name" varchar not null,
  "is_active" boolean not null,
  "type" varchar not null,
  "pulled_at" timestamptz not null
);
create table account.greetings (
  "account" varchar not null,
  "greeting_id" integer not null,
  "name" varchar not null,
  "is_active" boolean not null,
  "message" varchar not null,
  "pulled_at" timestamptz not null
);
create table account.canned_responses (
  "account" varchar not null,
  "response_id" integer not null,
  "group_id" integer not null,
  "text" varchar not null,
  "tags" varchar not null,
  "created_by" varchar not null,
  "created_at" timestamptz not null,
  "modified_at" timestamptz,
  "pulled_at" timestamptz not null
);
create table account.status (
  "account" varchar not null,
  "group_id" integer not null,
  "status" varchar not null,
  "pulled_at" timestamptz not null
);
create table ledger.pulls (
  "account" varchar not null,
  "pull_id" varchar not null,
  "started_at" timestamptz not null,
  "ended_at" timestamptz,
  "state" varchar not null,
  "requests" integer not null,
  "chats_new" integer not null,
  "chats_changed" integer not null,
  "chats_unchanged" integer not null,
  "error" varchar
);
create table ledger.requests (
  "account" varchar not null,
  "pull_id" varchar not null,
  "sequence" integer not null,
  "source" varchar not null,
  "path" varchar not null,
  "status" integer not null,
  "attempts" integer not null,
  "bytes" integer not null,
  "milliseconds" integer not null,
  "asked_at" timestamptz not null,
  "error" varchar
);
create table ledger.periods (
  "account" varchar not null,
  "timezone" varchar not null,
  "source" varchar not null,
  "grain" varchar not null,
  "split" varchar not null,
  "split_value" varchar not null,
  "day" date not null,
  "state" varchar not null,
  "pulled_at" timestamptz not null,
  "first_pulled_at" timestamptz not null,
  "changed_at" timestamptz not null,
  "hash" varchar not null,
  "rows" integer not null,
  "total" integer,
  "pull_id" varchar not null,
  "error" varchar
);
create table ledger.quarantine (
  "account" varchar not null,
  "source" varchar not null,
  "record_id" varchar not null,
  "reason" varchar not null,
  "body" varchar not null,
  "seen_at" timestamptz not null,
  "pull_id" varchar not null
);
create table ledger.reconciliation (
  "account" varchar not null,
  "metric" varchar not null,
  "timezone" varchar not null,
  "grain" varchar not null,
  "split" varchar not null,
  "split_value" varchar not null,
  "period" varchar not null,
  "day" date not null,
  "measure" varchar not null,
  "reported" double,
  "recomputed" double,
  "difference" double,
  "reason" varchar not null,
  "checked_at" timestamptz not null
);
create table ledger.versions (
  "version" integer not null,
  "migrated_at" timestamptz not null
);
create table ledger.snapshot (
  "snapshot_id" varchar not null,
  "published_at" timestamptz not null
);
