import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Certificate {
  key: Buffer;
  cert: Buffer;
  /** Of the certificate: it signs itself, so that who trusts it trusts the server. */
  file: string;
}

/** Made anew by OpenSSL, for these names (`DNS:localhost`, `IP:127.0.0.1`); undefined where there is no OpenSSL. */
export function madeCertificate(directory: string, names: readonly string[], name = 'server'): Certificate | undefined {
  const [key, file] = [join(directory, `${name}.key`), join(directory, `${name}.pem`)];
  const subject = ['-subj', '/CN=kaizen-test', '-addext', `subjectAltName=${names.join(',')}`];
  const made = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  try {
    execFileSync('openssl', ['req', '-x509', ...made, ...subject, '-keyout', key, '-out', file], { stdio: 'ignore' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  return { key: readFileSync(key), cert: readFileSync(file), file };
}
