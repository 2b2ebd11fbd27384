create table charges (
  id uuid primary key default gen_random_uuid(),
  order_id text not null,
  amount_minor bigint not null check (amount_minor > 0),
  currency char(3) not null,
  idempotency_key text not null unique,
  state text not null check (state in ('pending', 'captured', 'failed')),
  provider_reference text,
  created_at timestamptz not null default now(),
  settled_at timestamptz
);
