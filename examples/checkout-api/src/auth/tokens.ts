import { errors, jwtVerify, SignJWT } from 'jose';

const ISSUER = 'https://id.webapp.example';
const ACCESS_TOKEN_LIFETIME = '15m';
const CLOCK_TOLERANCE_SECONDS = 30;

export interface Caller {
  customerId: string;
  scopes: ReadonlySet<string>;
}

export async function issueAccessToken(customerId: string, scopes: string[], key: CryptoKey, keyId: string) {
  return new SignJWT({ scope: scopes.join(' ') })
    .setProtectedHeader({ alg: 'ES256', kid: keyId })
    .setSubject(customerId)
    .setIssuer(ISSUER)
    .setAudience('checkout-api')
    .setIssuedAt()
    .setExpirationTime(ACCESS_TOKEN_LIFETIME)
    .sign(key);
}

/** The caller, or undefined when the token is expired, forged or meant for another service. */
export async function readAccessToken(token: string, key: CryptoKey): Promise<Caller | undefined> {
  try {
    const { payload } = await jwtVerify(token, key, {
      issuer: ISSUER,
      audience: 'checkout-api',
      algorithms: ['ES256'],
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
    });
    return { customerId: String(payload.sub), scopes: new Set(String(payload.scope ?? '').split(' ')) };
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}
