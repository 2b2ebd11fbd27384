import { ALNUM, BASE64, DIGITS, HEX, join, LOWER, made, UPPER } from './secret-strings';

/**
 * As `secret-strings.ts`: tokens of more issuers, and passwords and keys as people write them in Markdown, in tables, in
 * configurations and in commands, each with what looks like it and is none.
 */

export interface WrittenSecret {
  id: string;
  text: string;
  /** All of what is found. */
  secret: string;
}

const UUID = '1f8d2c4a-93b7-4e06-a5d1-7c2b9e8f0a36';
const OTHER_UUID = '7b2e9c10-4d5f-4a83-b6e7-0c9d8f1a2b3e';

export function writtenSecrets(): WrittenSecret[] {
  const password = join('Tr0ub', '4dor&3');
  const key = made(ALNUM, 20, 71);
  const of = (id: string, ...forms: readonly ((it: string) => string)[]) =>
    forms.flatMap((form) => [
      { id, secret: id === 'password' ? password : key, text: form(id === 'password' ? password : key) },
    ]);
  const one = (id: string, secret: string, form = (it: string) => it): WrittenSecret[] => [
    { id, secret, text: form(secret) },
  ];
  return [
    ...of(
      'password',
      (it) => `**Password:** ${it}`,
      (it) => `**Password**: \`${it}\``,
      (it) => `__Passwort:__ ${it}`,
      (it) => `Password is: ${it}`,
      (it) => `Das Kennwort lautet: ${it}`,
      (it) => `- *Admin password*: ${it}`,
      (it) => `| password | ${it} |`,
      (it) => `| user | role |\n| --- | --- |\n| **DB password** | \`${it}\` |`,
      (it) => `| user | **Password** |\n|:---|---|\n| ada | \`${it}\` |\n`,
      (it) => `Host | Admin password | Since\n--- | --- | ---\ndb1 | ${it} | 2024\n`,
      (it) => `<server><password>${it}</password></server>`,
      (it) => `<db.password>\n  ${it}\n</db.password>`,
      (it) => `password: >-\n  ${it}`,
      (it) => `db:\n  password: |\n    ${it}\n`,
      (it) => `DB_PASS=${it}`,
      (it) => `ansible_become_pass: ${it}`,
      (it) => `mysql -u root -p'${it}' prod`,
      (it) => `mysqldump --single-transaction -uroot -p${it} shop > shop.sql`,
    ),
    ...of(
      'assigned-secret',
      (it) => `API key: ${it}`,
      (it) => `*API key*: ${it}`,
      (it) => `> **Access key:** \`${it}\``,
      (it) => `| API key | ${it} |`,
      (it) => `<apiKey>${it}</apiKey>`,
      (it) => `<oauth:clientSecret>${it}</oauth:clientSecret>`,
      (it) => `ALGOLIA_ADMIN_KEY=${it}`,
      (it) => `RAILS_MASTER_KEY=${it}`,
      (it) => `export AZURE_DEVOPS_EXT_PAT=${it}`,
    ),
    ...one('password', join('Summer', '2024!'), (it) => `password: ${it}`),
    ...one('password', join('Hunter', '2!x'), (it) => `password: ${it}`),
    ...one('assigned-secret', join('base64:', made(BASE64, 43, 72), '='), (it) => `APP_KEY=${it}`),
    ...one('assigned-secret', UUID, (it) => `POSTMARK_SERVER_TOKEN=${it}`),
    ...one('npm-token', made(BASE64, 32, 73), (it) => `_auth=${it}`),
    ...one(
      'password-hash',
      join('$6$', made(ALNUM, 16), '$', made(ALNUM, 86, 2)),
      (it) => `root:${it}:19000:0:99999:7:::`,
    ),
    ...one('password-hash', join('$apr1$', made(ALNUM, 8), '$', made(ALNUM, 22, 3)), (it) => `admin:${it}`),
    ...one(
      'signed-address',
      made(HEX, 64, 74),
      (it) => `https://b.s3.amazonaws.com/k?X-Amz-Date=20260101&X-Amz-Signature=${it}`,
    ),
    ...one(
      'azure-sas',
      join(made(ALNUM, 43, 75)),
      (it) => `https://prod.westeurope.logic.azure.com/workflows/x?api-version=2016-06-01&sp=%2Frun&sv=1.0&sig=${it}`,
    ),
    ...one(
      'teams-webhook',
      join(UUID, '@', OTHER_UUID, '/IncomingWebhook/', made(HEX, 32, 76), '/', UUID),
      (it) => `https://acme.webhook.office.com/webhookb2/${it}`,
    ),
    ...one('gitlab-token', join('gl', 'pat-', made(ALNUM, 27, 77), '.01.', made(LOWER + DIGITS, 9))),
    ...one('asana-token', join('1/', made(DIGITS, 16, 78), ':', made(HEX, 32))),
    ...one('braintree-token', join('access_token', '$production$', made(LOWER + DIGITS, 16, 79), '$', made(HEX, 32))),
    ...one('clojars-token', join('CLO', 'JARS_', made(HEX, 60, 80))),
    ...one('contentful-token', join('CF', 'PAT-', made(ALNUM, 43, 81))),
    ...one('crates-io-token', join('ci', 'o', made(ALNUM, 32, 82)), (it) => `cargo login ${it}`),
    ...one('elevenlabs-key', join('s', 'k_', made(HEX, 48, 83))),
    ...one('firebase-key', join('AA', 'AA', made(ALNUM, 7, 84), ':', made(ALNUM, 140, 85))),
    ...one('google-refresh-token', join('1/', '/0', made(ALNUM, 60, 86)), (it) => `refresh token ${it}`),
    ...one('heroku-key', join('HR', 'KU-AA', made(ALNUM, 58, 87))),
    ...one('heroku-key', join('HR', 'KU-', UUID)),
    ...one('langsmith-key', join('lsv2', '_pt_', made(HEX, 32, 88), '_', made(HEX, 10))),
    ...one('launchdarkly-key', join('sd', 'k-', UUID)),
    ...one('mapbox-token', join('s', 'k.eyJ', made(ALNUM, 80, 89), '.', made(ALNUM, 22))),
    ...one('neon-key', join('na', 'pi_', made(LOWER + DIGITS, 64, 90))),
    ...one('netlify-token', join('nf', 'p_', made(ALNUM, 36, 91))),
    ...one('notion-token', join('nt', 'n_', made(ALNUM, 46, 92))),
    ...one('notion-token', join('sec', 'ret_', made(ALNUM, 43, 93))),
    ...one('nuget-key', join('oy', '2', made(LOWER + DIGITS, 43, 94))),
    ...one('okta-token', join('00', made(ALNUM, 40, 95)), (it) => `Authorization: SSWS ${it}`),
    ...one('openrouter-key', join('sk', '-or-v1-', made(HEX, 64, 96))),
    ...one('pinecone-key', join('pc', 'sk_', made(ALNUM, 6, 97), '_', made(ALNUM, 63))),
    ...one('resend-key', join('r', 'e_', made(ALNUM, 8, 98), '_', made(ALNUM, 24))),
    ...one('square-token', join('EA', 'AA', made(ALNUM, 60, 99))),
    ...one('supabase-key', join('sb', '_secret_', made(ALNUM, 22, 100), '_', made(ALNUM, 8))),
    ...one('tailscale-key', join('ts', 'key-auth-', made(ALNUM, 11, 101), 'CNTRL-', made(ALNUM, 32))),
    ...one('xai-key', join('xa', 'i-', made(ALNUM, 80, 102))),
  ];
}

export function writtenNearMisses(): string[] {
  return [
    'API key: see the vault of the team',
    'Secret key: name of the key in the Kubernetes Secret',
    'Access key: `Ctrl+Alt+Shift+F12`',
    '| Access key | `Ctrl+Alt+Shift+F12` |',
    '| password | string | The password of the user. |',
    '| `password` | `string` | required, at least 12 characters |',
    '| token | 550e8400-e29b-41d4-a716-446655440000 |',
    '**Token:** `{{token}}`',
    '*Token:* see section 4.2.1-rev2',
    'Password is: at least 12 characters',
    '| Name | Password |\n| --- | --- |\n| ada | in the vault, since 2024 |\n| bob | `<password>` |\n',
    '| Token | Value |\n| --- | --- |\n| color-primary-500 | #ff00aa |\n',
    '| Action | Access key |\n| --- | --- |\n| Save | `Ctrl+Alt+Shift+F12` |\n',
    '<password>string</password>',
    join('<apiKey>$', '{env.API_KEY}</apiKey>'),
    '<token>…</token>',
    'password: >-\n  the one in the vault',
    'password: Password123',
    'token: --color-primary-500-hover-active',
    'render_pass: geometry',
    'compass=NorthWest270x',
    'bypass: Route66/Exit4b',
    `name_pat = "${made(ALNUM, 24, 103)}"`,
    'app_key: com.acme.shop.mobile2',
    `app_key: ${made(ALNUM, 20, 104)}`,
    'APP_KEY=base64:',
    'admin_key: admin-key-2024-production',
    'primary key: user_id_2024_partition',
    'mysql -u root -p prod',
    'mysql -uroot -p$MYSQL_ROOT_PASSWORD prod',
    'root:x:0:0:root:/root:/bin/bash',
    'price:$1$2',
    'In integer division 1//0 is undefined.',
    'xai-foundation-models, re_export_2024, sk_buff_head_init',
    'sdk-tools-linux-4333796.zip',
    'nfc_reader_initialised_at_startup_of_the_device',
    'secret_santa_2024_list_of_participants_x',
    join('pk', '.eyJ', made(ALNUM, 80, 105), '.', made(ALNUM, 22)),
    join('sb', '_publishable_', made(ALNUM, 22, 106), '_', made(ALNUM, 8)),
    join('mo', 'b-', UUID),
    join('token: sha1-', made(HEX, 40, 107)),
    `${made(BASE64, 64, 108)}\n${join('EA', 'AA', made(ALNUM, 60, 109))}\n${made(BASE64, 64, 110)}`,
    join('tskey-auth-', '<your-key>'),
    join('sk', '-or-v1-', 'x'.repeat(64)),
    `https://bucket.s3.amazonaws.com/key?X-Amz-Signature=${'<signature>'}`,
    'https://acme.webhook.office.com/webhookb2/<id>',
    join('A3-', made(UPPER, 6)),
  ];
}
