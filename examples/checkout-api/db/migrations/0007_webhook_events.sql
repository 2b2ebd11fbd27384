create table webhook_events (
  id text primary key,
  type text not null,
  payload jsonb not null,
  received_at timestamptz not null default now(),
  handled_at timestamptz
);
create index webhook_events_open on webhook_events (received_at) where handled_at is null;
