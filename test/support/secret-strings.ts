/**
 * Strings that are secrets by their form, and strings that look like it and are none. They are put together when they
 * are asked for, so that nothing that scans this repository takes the file for a leak; none of them opens anything.
 */

export const LOWER = 'abcdefghijklmnopqrstuvwxyz';
export const UPPER = LOWER.toUpperCase();
export const DIGITS = '0123456789';
export const ALNUM = UPPER + LOWER + DIGITS;
export const BASE64 = `${ALNUM}+/`;
export const HEX = '0123456789abcdef';

/** So many characters of an alphabet, the same each time (a linear congruential generator). */
export function made(alphabet: string, length: number, seed = 7): string {
  let state = (seed * 2_654_435_761) >>> 0;
  let text = '';
  while (text.length < length) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    text += alphabet[Math.floor((state / 2 ** 32) * alphabet.length)];
  }
  return text;
}

export const join = (...parts: string[]) => parts.join('');
const pem = (name: string, body: string) =>
  join('-----BEGIN ', name, ' KEY-----\n', body.replace(/.{64}/g, '$&\n'), '\n-----END ', name, ' KEY-----');
const jwtParts = () => [
  Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url'),
  Buffer.from('{"sub":"41826","name":"Ada","iat":1516239022}').toString('base64url'),
];

export interface TrueSecret {
  name: string;
  text: string;
  /** What of the text must lie in what is found. */
  secret: string;
  id: string;
}

function secret(id: string, name: string, value: string, around: (value: string) => string = (it) => it): TrueSecret {
  return { id, name, text: around(value), secret: value };
}

export function trueSecrets(): TrueSecret[] {
  const [header = '', payload = ''] = jwtParts();
  const rsa = join('MI', made(BASE64, 1_200, 3));
  return [
    secret('aws-access-key', 'an AWS access key', join('AK', 'IA', made(`${UPPER}234567`, 16))),
    secret(
      'aws-access-key',
      'a temporary AWS key in prose',
      join('AS', 'IA', made(`${UPPER}234567`, 16, 2)),
      (it) => `The key ${it} is used by the build.`,
    ),
    secret(
      'aws-secret-key',
      'an AWS secret key in the environment',
      made(BASE64, 40),
      (it) => `AWS_SECRET_ACCESS_KEY=${it}`,
    ),
    secret('aws-secret-key', 'an AWS secret key in JSON', made(BASE64, 40, 4), (it) => `{"SecretAccessKey": "${it}"}`),
    secret('github-token', 'a personal GitHub token', join('gh', 'p_', made(ALNUM, 36))),
    secret('github-token', 'an OAuth token of GitHub', join('gh', 'o_', made(ALNUM, 36, 2))),
    secret(
      'github-token',
      'a server token of GitHub in an address',
      join('gh', 's_', made(ALNUM, 36, 3)),
      (it) => `git clone https://x-access-token:${it}@github.com/acme/app.git`,
    ),
    secret(
      'github-token',
      'a fine-grained GitHub token',
      join('github', '_pat_', made(ALNUM, 22), '_', made(ALNUM, 59, 4)),
    ),
    secret('gitlab-token', 'a personal GitLab token', join('gl', 'pat-', made(ALNUM, 20))),
    secret(
      'gitlab-token',
      'a GitLab runner token',
      join('gl', 'rt-', made(ALNUM, 20, 5)),
      (it) => `--token ${it} --executor docker`,
    ),
    secret(
      'slack-token',
      'a Slack bot token',
      join('xo', 'xb-', made(DIGITS, 12), '-', made(DIGITS, 12, 2), '-', made(ALNUM, 24)),
    ),
    secret(
      'slack-token',
      'a Slack user token',
      join('xo', 'xp-', made(DIGITS, 12), '-', made(DIGITS, 12, 3), '-', made(HEX, 32)),
    ),
    secret(
      'slack-token',
      'a Slack app token',
      join('xa', 'pp-1-A', made(UPPER, 10), '-', made(DIGITS, 13), '-', made(HEX, 64)),
    ),
    secret(
      'slack-webhook',
      'a Slack webhook',
      join('T', made(UPPER + DIGITS, 8), '/B', made(UPPER + DIGITS, 10), '/', made(ALNUM, 24)),
      (it) => `https://hooks.slack.com/services/${it}`,
    ),
    secret('npm-token', 'an npm token', join('np', 'm_', made(ALNUM, 36))),
    secret('npm-token', 'a token in .npmrc', made(`${HEX}-`, 36), (it) => `//registry.npmjs.org/:_authToken=${it}`),
    secret('pypi-token', 'a PyPI token', join('py', 'pi-AgEIcHlwaS5vcmc', made(ALNUM, 90))),
    secret('stripe-key', 'a live Stripe key', join('sk', '_live_', made(ALNUM, 24))),
    secret(
      'stripe-key',
      'a restricted Stripe key',
      join('rk', '_live_', made(ALNUM, 48)),
      (it) => `stripe.api_key = "${it}"`,
    ),
    secret('stripe-webhook-secret', "a Stripe webhook's secret", join('wh', 'sec_', made(ALNUM, 32))),
    secret('google-api-key', 'a Google API key', join('AI', 'za', made(ALNUM, 35))),
    secret('google-oauth-secret', 'a Google client secret', join('GOC', 'SPX-', made(ALNUM, 28))),
    secret('google-oauth-token', 'a Google access token', join('ya', '29.', made(ALNUM, 120))),
    secret(
      'azure-storage-key',
      'an Azure storage key',
      join(made(BASE64, 86), '=='),
      (it) => `DefaultEndpointsProtocol=https;AccountName=shopfiles;AccountKey=${it};EndpointSuffix=core.windows.net`,
    ),
    secret(
      'azure-shared-access-key',
      'an Azure Service Bus key',
      join(made(BASE64, 43), '='),
      (it) => `Endpoint=sb://shop.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=${it}`,
    ),
    secret(
      'azure-sas',
      'an Azure signature',
      join(made(ALNUM, 43), '%3D'),
      (it) => `https://shop.blob.core.windows.net/a?sv=2022-11-02&ss=b&se=2024-01-01&sig=${it}`,
    ),
    secret('azure-client-secret', 'an Azure client secret', join(made(ALNUM, 3), '8Q~', made(ALNUM, 34, 9))),
    secret(
      'openai-key',
      'an OpenAI project key',
      join('sk', '-proj-', made(ALNUM, 74), 'T3Blbk', 'FJ', made(ALNUM, 74, 2)),
    ),
    secret('openai-key', 'an old OpenAI key', join('sk', '-', made(ALNUM, 20), 'T3Blbk', 'FJ', made(ALNUM, 20, 3))),
    secret('anthropic-key', 'an Anthropic key', join('sk', '-ant-api03-', made(ALNUM, 93), 'AA')),
    secret('sendgrid-key', 'a SendGrid key', join('S', 'G.', made(ALNUM, 22), '.', made(ALNUM, 43))),
    secret('twilio-key', 'a Twilio key', join('S', 'K', made(HEX, 32))),
    secret('assigned-secret', "Twilio's authentication token", made(HEX, 32, 4), (it) => `TWILIO_AUTH_TOKEN=${it}`),
    secret('hugging-face-token', 'a Hugging Face token', join('h', 'f_', made(LOWER + UPPER, 34))),
    secret('digitalocean-token', 'a DigitalOcean token', join('do', 'p_v1_', made(HEX, 64))),
    secret('docker-token', 'a Docker token', join('dc', 'kr_pat_', made(ALNUM, 27))),
    secret('vault-token', 'a Vault token', join('hv', 's.', made(ALNUM, 90))),
    secret('telegram-token', "a Telegram bot's token", join(made('123456789', 10), ':', 'AA', made(ALNUM, 33))),
    secret('shopify-key', 'a Shopify key', join('sh', 'pat_', made(HEX, 32))),
    secret('linear-key', 'a Linear key', join('lin', '_api_', made(ALNUM, 40))),
    secret('jwt', 'a JSON web token', made(`${ALNUM}-_`, 43), (it) => `${header}.${payload}.${it}`),
    secret(
      'bearer-token',
      'a bearer token in a command',
      made(ALNUM, 40, 6),
      (it) => `curl -H "Authorization: Bearer ${it}" https://api.acme.dev/v1`,
    ),
    secret(
      'basic-auth',
      'basic authentication in a header',
      Buffer.from(join('deploy:', made(ALNUM, 14))).toString('base64'),
      (it) => `Authorization: Basic ${it}`,
    ),
    secret('private-key', 'an RSA key', pem('RSA PRIVATE', rsa)),
    secret('private-key', 'a key in PKCS #8', pem('PRIVATE', join('MC', made(BASE64, 62)))),
    secret('private-key', 'an OpenSSH key', pem('OPENSSH PRIVATE', join('b3BlbnNzaC1rZXktdjE', made(BASE64, 400)))),
    secret(
      'private-key',
      'a key that is cut off at its end',
      join('-----BEGIN EC', ' PRIVATE KEY-----\n', made(BASE64, 64), '\n', made(BASE64, 50, 2)),
    ),
    secret(
      'private-key',
      'a key in one line of JSON',
      join(
        '-----BEGIN PRIVATE',
        ' KEY-----\\n',
        made(BASE64, 64),
        '\\n',
        made(BASE64, 64, 2),
        '\\n-----END PRIVATE',
        ' KEY-----',
      ),
      (it) => `{"private_key": "${it}\\n"}`,
    ),
    secret(
      'connection-string',
      'PostgreSQL with a password',
      join('v9', 'K!mPq2', 'Lx'),
      (it) => `postgres://shop:${it}@db.internal:5432/shop`,
    ),
    secret(
      'connection-string',
      'MySQL with a password',
      join('tR4', 'uNk8w'),
      (it) => `mysql://app:${it}@10.2.0.4/app`,
    ),
    secret(
      'connection-string',
      'MongoDB with a password',
      join('Zq7', 'bWp31'),
      (it) => `mongodb+srv://svc:${it}@cluster0.ab1cd.mongodb.net/prod`,
    ),
    secret(
      'connection-string',
      'Redis without a user',
      join('r7Yx', 'Qm20', 'pLs'),
      (it) => `redis://:${it}@cache.internal:6379/0`,
    ),
    secret(
      'connection-string',
      'RabbitMQ with a password',
      join('Bd9', '-kW4t'),
      (it) => `amqps://worker:${it}@mq.internal/vhost`,
    ),
    secret(
      'connection-string',
      'SQL Server',
      join('P4r', 'k!Lane77'),
      (it) => `Server=tcp:sql.internal,1433;Database=shop;User ID=app;Password=${it};Encrypt=True`,
    ),
    secret(
      'connection-string',
      'JDBC with a parameter',
      join('w8', 'Gh2Lq'),
      (it) => `jdbc:postgresql://db.internal/shop?user=app&password=${it}`,
    ),
    secret(
      'url-password',
      'a password in an address',
      join('k3', 'Ty9zQe'),
      (it) => `https://deploy:${it}@artifacts.acme.dev/maven`,
    ),
    secret('password', 'a password in code', join('uQ7', '#xv2Lp!'), (it) => `password = "${it}"`),
    secret('password', 'a password in YAML', join('Gf4', 'hT8s-Vq'), (it) => `db:\n  password: ${it}\n  port: 5432`),
    secret('password', 'a password in German', join('Rm5', '$kk2Wn'), (it) => `Das Kennwort: "${it}"`),
    secret('assigned-secret', 'an API key', made(ALNUM, 32, 8), (it) => `api_key: ${it}`),
    secret(
      'assigned-secret',
      'a client secret in JSON',
      made(`${ALNUM}-_`, 40, 3),
      (it) => `{"clientSecret": "${it}"}`,
    ),
  ];
}

export function nearMisses(): { name: string; text: string }[] {
  const [header = '', payload = ''] = jwtParts();
  return Object.entries({
    "AWS' documented key": join('AKIA', 'IOSFODNN7', 'EXAMPLE'),
    "AWS' documented secret": join('AWS_SECRET_ACCESS_KEY=', 'wJalrXUtnFEMI/K7MDENG/', 'bPxRfiCYEXAMPLEKEY'),
    'an AWS key of letters in order': join('AK', 'IA', 'ABCDEFGHIJKLMNOP'),
    'an AWS key that is too short': join('AK', 'IA', 'Q3F7'),
    'a GitHub token of x': join('gh', 'p_', 'x'.repeat(36)),
    'a GitHub token in words': join('gh', 'p_', 'your_token_here'),
    'what GitHub tokens begin with': 'Tokens that begin with ghp_ or github_pat_ are never to be committed.',
    'a GitLab token in angle brackets': 'glpat-<your-token>',
    'a Slack token in words': join('xo', 'xb-your-token-goes-here'),
    'what Slack tokens look like': join('xo', 'xb-…'),
    "a Slack webhook's form": 'https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX',
    'an npm token from the environment': join('//registry.npmjs.org/:_authToken=$', '{NPM_TOKEN}'),
    'a Stripe key in words': join('sk', '_live_your_key_here'),
    'a Stripe key of x': join('sk', '_test_', 'x'.repeat(24)),
    'a published Stripe key': join('pk', '_live_', made(ALNUM, 24)),
    'a Google key of x': join('AI', 'za', 'X'.repeat(35)),
    "the storage emulator's key": join(
      'AccountKey=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/',
      'K1SZFPTOtr/KBHBeksoGMGw==',
    ),
    'an OpenAI key in words': join('OPENAI_API_KEY=', 'sk-your-key'),
    'a word that begins like a key': 'sk-learn-contrib-extension-packages-are-many-and-useful',
    'an Anthropic key in dots': join('sk', '-ant-api03-...'),
    'a JSON web token without a signature': `${header}.${payload}`,
    "a JSON web token's header": header,
    'a bearer token from a variable': 'curl -H "Authorization: Bearer $TOKEN" https://api.acme.dev',
    'a bearer token in angle brackets': 'Authorization: Bearer <access-token-from-the-login-call>',
    'basic authentication with a placeholder': `Authorization: Basic ${Buffer.from('user:password').toString('base64')}`,
    'an RSA key of dots': '-----BEGIN RSA PRIVATE KEY-----\n...\n-----END RSA PRIVATE KEY-----',
    "a key's first line in prose": 'A file that starts with -----BEGIN PRIVATE KEY----- must never be committed.',
    'a public key': pem('PUBLIC', join('MII', made(BASE64, 380))),
    'a certificate': join('-----BEGIN CERT', 'IFICATE-----\n', made(BASE64, 400), '\n-----END CERTIFICATE-----'),
    'an SSH public key': join('ssh-ed25519 AAAAC3NzaC1lZDI1NTE5', 'AAAAI', made(BASE64, 43), ' ada@laptop'),
    'PostgreSQL with a variable': join('postgres://app:$', '{DB_PASSWORD}@db.internal/app'),
    'PostgreSQL with a placeholder': 'postgresql://user:password@localhost:5432/app',
    'PostgreSQL without a password': 'postgres://app@db.internal/app',
    'MongoDB in angle brackets': 'mongodb+srv://<user>:<password>@cluster0.mongodb.net',
    'Redis without a password': 'redis://cache.internal:6379/0',
    "MySQL's usual test user": 'mysql://root:root@127.0.0.1:3306/test',
    'SQL Server with the identity of Windows':
      'Server=sql.internal;Database=shop;Integrated Security=true;Encrypt=true',
    'SQL Server with a placeholder': 'Server=sql.internal;User ID=app;Password=<password>;',
    'JDBC with a variable': join('jdbc:postgresql://db.internal/shop?user=app&password=$', '{DB_PASSWORD}'),
    'an address at a port': 'https://api.acme.dev:8443/v1/users@2',
    'an example address': 'https://user:pass@example.com/',
    'an SSH address': 'git@github.com:acme/app.git',
    'a password in the environment': 'password = process.env.DB_PASSWORD',
    'a password from a function': 'password = readPassword("db")',
    'a type': 'interface Login { password: string; token: string | undefined }',
    'a masked password': 'password: ********',
    'a changeme': 'password: changeme123!',
    'a rule about passwords': 'Passwords: at least 12 characters, one digit; never the name of the person.',
    "a password's hash": join('password: "$2b$12$', made(ALNUM, 53), '"'),
    'a password in words': 'password: the-one-in-the-vault',
    'a secret reference of a workflow': join('token: $', '{{ secrets.GITHUB_TOKEN }}'),
    'a secret by name': 'secret: projects/shop/secrets/db-password/versions/3',
    'a token in code': 'const token = session.accessToken2.value1;',
    "a token's identifier": 'token: 550e8400-e29b-41d4-a716-446655440000',
    'a token limit': 'max_tokens: 4096, token_count = 1200, tokenizer: cl100k_base',
    'a key of a map': 'keyword: api_key_rotation_2024',
    'a commit': 'Fixed in commit 3f2a9c41d7e8b06519fa2c7d4e8b9a01c5d6e7f8.',
    'a checksum': join('integrity: sha512-', made(BASE64, 86), '=='),
    'a digest of an image': join('image: shop@sha256:', made(HEX, 64)),
    'a UUID': 'id: 123e4567-e89b-42d3-a456-426614174000',
    'an image in base64': join('data:image/png;base64,', made(BASE64, 300)),
    'a long identifier': 'com.acme.shop.checkout.internal.PaymentProviderConfigurationFactoryBean2',
    'a vault reference': 'api_key: op://Private/Stripe/credential1234567890',
    'an API key in capitals': 'API_KEY=REPLACE_ME_WITH_YOUR_KEY_1',
  }).map(([name, text]) => ({ name, text }));
}

const BASE32 = `${UPPER}234567`;

/**
 * A second list, written before anybody looked at the rules, of kinds that the first one has not: what was found of it at
 * the first look is in docs/safety.md.
 */
export function unseenSecrets(): Omit<TrueSecret, 'id'>[] {
  const secrets: [name: string, secret: string, around?: (it: string) => string][] = [
    ['Databricks', join('da', 'pi', made(HEX, 32, 11)), (it) => `databricks configure --token ${it}`],
    ['Mailgun', join('ke', 'y-', made(HEX, 32, 12)), (it) => `The mail goes out with ${it} of Mailgun.`],
    ['Mailchimp', join(made(HEX, 32, 13), '-us', '14'), (it) => `MAILCHIMP_API_KEY=${it}`],
    ['Atlassian', join('ATA', 'TT3xFfGF0', made(`${ALNUM}-_`, 170, 14), '=', made(HEX, 8).toUpperCase())],
    [
      'a Discord bot',
      join('MTA', made(ALNUM, 23, 15), '.', made(ALNUM, 6, 15), '.', made(`${ALNUM}-_`, 38, 16)),
      (it) => `client.login("${it}");`,
    ],
    [
      "Discord's webhook",
      made(`${ALNUM}-_`, 68, 17),
      (it) => `Deployments are told to https://discord.com/api/webhooks/104823911873849102/${it}`,
    ],
    [
      'PuTTY',
      made(BASE64, 64, 18),
      (it) =>
        `PuTTY-User-Key-File-3: ssh-rsa\nEncryption: none\nComment: deploy\nPublic-Lines: 1\nAAAAB3NzaC1yc2EAAAADAQAB\nPrivate-Lines: 2\n${it}\n${made(BASE64, 60, 19)}\nPrivate-MAC: ${made(HEX, 64, 2)}`,
    ],
    [
      'PGP',
      made(BASE64, 64, 20),
      (it) =>
        join(
          '-----BEGIN PGP PRIVATE',
          ` KEY BLOCK-----\n\n${it}\n${made(BASE64, 64, 21)}\n=aB3d\n-----END PGP PRIVATE`,
          ' KEY BLOCK-----',
        ),
    ],
    ['age', join('AGE-SECRET', '-KEY-1', made('QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L', 58, 22))],
    [
      'Kubernetes',
      Buffer.from(made(ALNUM, 18, 23)).toString('base64'),
      (it) => `apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ndata:\n  password: ${it}`,
    ],
    ['.netrc', made(ALNUM, 16, 24), (it) => `machine api.acme.dev login deploy password ${it}`],
    [
      "Docker's configuration",
      Buffer.from(join('robot:', made(ALNUM, 20, 25))).toString('base64'),
      (it) => `{"auths": {"ghcr.io": {"auth": "${it}"}}}`,
    ],
    ['Sentry', join('sntr', 'ys_', made(ALNUM, 60, 26), '_', made(ALNUM, 43, 27))],
    ['New Relic', join('NR', 'AK-', made(UPPER + DIGITS, 27, 28)), (it) => `--header "Api-Key: ${it}"`],
    ['Datadog', made(HEX, 32, 29), (it) => `DD_API_KEY=${it} dogwrap -n deploy`],
    ['Cloudflare', made(`${ALNUM}-_`, 40, 30), (it) => `export CLOUDFLARE_API_TOKEN="${it}"`],
    ['Heroku', '1f8d2c4a-93b7-4e06-a5d1-7c2b9e8f0a36', (it) => `HEROKU_API_KEY=${it}`],
    ['Grafana', join('gl', 'sa_', made(ALNUM, 32, 31), '_', made(HEX, 8, 32))],
    ['Notion', join('nt', 'n_', made(DIGITS, 11, 33), made(ALNUM, 35, 33))],
    ['Airtable', join('pa', 't', made(ALNUM, 14, 34), '.', made(HEX, 64, 35))],
    ['Postman', join('PM', 'AK-', made(HEX, 24, 36), '-', made(HEX, 34, 37))],
    ['Terraform Cloud', join(made(ALNUM, 14, 38), '.atlas', 'v1.', made(ALNUM, 67, 39))],
    ['Doppler', join('dp', '.pt.', made(ALNUM, 43, 40)), (it) => `doppler run --token ${it}`],
    ['sshpass', join('Hx4', '#vLq9t'), (it) => `sshpass -p '${it}' ssh deploy@10.0.0.4`],
    ['Rails', made(HEX, 128, 41), (it) => `production:\n  secret_key_base: ${it}`],
    ['curl with a user', join('qN5', 'wTz8Lk2'), (it) => `curl -u deploy:${it} https://artifacts.acme.dev/api/`],
    ['FTP', join('Lz3', 'mVq7R'), (it) => `lftp ftp://upload:${it}@files.acme.dev/in`],
    ['WireGuard', join(made(BASE64, 42, 42), 'E='), (it) => `[Interface]\nPrivateKey = ${it}\nAddress = 10.8.0.2/24`],
    ['a one-time password', made(BASE32, 32, 43), (it) => `otpauth://totp/Acme:ops@acme.dev?secret=${it}&issuer=Acme`],
    ['Spring', join('vT6', 'yPw3Kd'), (it) => `spring.datasource.password=${it}`],
  ];
  return secrets.map(([name, value, around = (it: string) => it]) => ({ name, secret: value, text: around(value) }));
}

/** As `unseenSecrets`: what notes of a team hold that is none. */
export function unseenNearMisses(): { name: string; text: string }[] {
  return Object.entries({
    "a lock file's line of npm": `"resolved": "https://registry.npmjs.org/yaml/-/yaml-2.4.1.tgz",\n"integrity": "sha512-${made(BASE64, 86, 51)}=="`,
    "a lock file's line of yarn": `  checksum: 10c0/${made(HEX, 128, 52)}`,
    'a line of go.sum': `github.com/spf13/cobra v1.8.0 h1:${made(BASE64, 43, 53)}=`,
    'a line of Cargo.lock': `name = "token-bucket"\nchecksum = "${made(HEX, 64, 54)}"`,
    'a hash of pip': `secretstorage==3.3.3 \\\n    --hash=sha256:${made(HEX, 64, 55)}`,
    'a hash of Nix': `hash = "sha256-${made(BASE64, 43, 56)}=";`,
    "a host key's fingerprint": `The key of git.acme.dev is SHA256:${made(BASE64, 43, 57)} (ED25519).`,
    'a line of known_hosts': `git.acme.dev,10.0.0.7 ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTY${made(BASE64, 92, 58)}=`,
    'an authorized key': `ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQ${made(BASE64, 330, 59)} ops@acme.dev`,
    "a certificate's fingerprint": `SHA-256: ${made('0123456789ABCDEF', 64, 60).replace(/..(?=.)/g, '$&:')}`,
    "a PGP key's fingerprint": 'Key fingerprint = 9B2C 4E1F 7A60 33D8 5C11  0F4E A2B7 66D9 E1C3 58AF',
    "AWS' documented credentials": join(
      '[default]\naws_access_key_id = AKIA',
      'IOSFODNN7EXAMPLE\naws_secret_access_key = wJalrXUtnFEMI/',
      'K7MDENG/bPxRfiCYEXAMPLEKEY',
    ),
    'a header with a placeholder': 'curl --header "PRIVATE-TOKEN: <your_access_token>" https://gitlab.acme.dev/api/v4',
    'a log-in from the environment': join('docker login -u ci -p $', '{REGISTRY_TOKEN} registry.acme.dev:5000'),
    'a password from a command': 'DB_PASSWORD=$(op read op://shop/postgres/password)',
    'an address with a port and an at sign': 'http://localhost:4873/@acme/design-tokens/-/design-tokens-1.2.0.tgz',
    'an OAuth client': join('client_id: 402917738451-', made(LOWER + DIGITS, 32, 61), '.apps.googleusercontent.com'),
    "Sentry's public address": `dsn: "https://${made(HEX, 32, 62)}@o447951.ingest.sentry.io/5428537"`,
    'the integrity of a script': `<script src="/app.js" integrity="sha384-${made(BASE64, 64, 63)}" crossorigin="anonymous"></script>`,
    'a secret by reference in Kubernetes':
      'env:\n  - name: DB_PASSWORD\n    valueFrom:\n      secretKeyRef:\n        name: shop-db-credentials\n        key: password',
    'a password of Terraform': 'password = random_password.shop_database.result',
    'a translation':
      '{"password": "Passwort", "passwordRepeat": "Passwort wiederholen", "tokenExpired": "Sitzung abgelaufen"}',
    "a secret's ARN": 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/shop/database-AbCdEf',
    'an address in a key vault': `https://shop.vault.azure.net/secrets/db-password/${made(HEX, 32, 64)}`,
    'a trace': 'traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    'a form of tokens': 'token: /^[A-Za-z0-9_-]{20,64}$/',
    'a database of tests': 'DATABASE_URL=postgres://postgres:postgres@localhost:5432/shop_test',
    'an icon in base64': `background: url("data:image/svg+xml;base64,PHN2ZyB4bWxucz0i${made(BASE64, 220, 65)}==")`,
    'a password of Maven': join('<server><id>acme</id><password>$', '{env.MAVEN_PASSWORD}</password></server>'),
    'a hash of Argon2': `password_hash: $argon2id$v=19$m=65536,t=3,p=4$${made(BASE64, 22, 66)}$${made(BASE64, 43, 67)}`,
  }).map(([name, text]) => ({ name, text }));
}
