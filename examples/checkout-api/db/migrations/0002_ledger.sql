create table ledger (
  id uuid primary key default gen_random_uuid(),
  charge_id uuid not null references charges (id) on delete restrict,
  kind text not null check (kind in ('charge', 'refund', 'fee')),
  amount_minor bigint not null,
  currency char(3) not null,
  idempotency_key text not null unique,
  booked_at timestamptz not null default now(),
  check (kind <> 'refund' or amount_minor < 0)
);
create index ledger_charge on ledger (charge_id);
