import type { Authorization, Client } from 'acme-client';
import { isDeepStrictEqual } from 'node:util';
import { AcmeFailure } from './acme-failure.js';
import type { CaTransport } from './ca-transport.js';
import type { PendingOrder } from './acme-files.js';
import type { AcmeChoice } from './settings.js';

/** The authority, and our account there. */
export interface Authority {
  readonly client: Client;
  /** Aborted when it is closed. */
  readonly signal: AbortSignal;
  /** What the last answer asked for, ms. */
  readonly pauseAsked: () => number | undefined;
  /** A request for a certificate with this key. */
  requestFor(order: PendingOrder): Promise<Buffer>;
  challengeCertificate(
    authorization: Authorization,
    keyAuthorization: string,
  ): Promise<{ readonly cert: string; readonly key: string }>;
}

/** Not loaded by a system that needs none: 200 modules. */
async function load(): Promise<typeof import('acme-client')> {
  return import('acme-client');
}

export async function newKey(): Promise<string> {
  const { crypto } = await load();
  return String(await crypto.createPrivateEcdsaKey());
}

/** Signs in to the account of the key, which is created when it is not known. The caller closes the transport. */
export async function openAuthority(
  transport: CaTransport,
  accountKey: string,
  { directory, termsAgreed, email, eab }: AcmeChoice,
): Promise<Authority> {
  const { Client: AcmeClient, axios, crypto } = await load();
  axios.defaults.adapter = transport.adapter;
  const client = new AcmeClient({
    directoryUrl: directory,
    accountKey,
    ...(eab !== undefined && { externalAccountBinding: eab }),
  });
  // `null` if it has none, other than its type says.
  const terms: string | null = await client.getTermsOfServiceUrl();
  if (terms !== null && !termsAgreed)
    throw new AcmeFailure('termsOfService', `the authority wants you to agree to its terms of service: ${terms}`);
  await signIn(client, {
    ...(termsAgreed && { termsOfServiceAgreed: true }),
    ...(email !== undefined && { contact: [`mailto:${email}`] }),
  });
  return {
    client,
    signal: transport.signal,
    pauseAsked: () => transport.retryAfterMs,
    requestFor: async ({ hosts, key }) => (await crypto.createCsr({ altNames: [...hosts] }, key))[1],
    challengeCertificate: async (authorization, keyAuthorization) => {
      const key = await newKey();
      const [, cert] = await crypto.createAlpnCertificate(authorization, keyAuthorization, key);
      return { cert: String(cert), key };
    },
  };
}

interface AccountData {
  readonly termsOfServiceAgreed?: true;
  readonly contact?: readonly [string];
}

/** Looks first: for an account that exists, `acme-client` would send the same data as a change, which authorities refuse without a contact. */
async function signIn(client: Client, { contact, ...terms }: AccountData): Promise<void> {
  const wanted = contact === undefined ? {} : { contact: [...contact] };
  try {
    const known = await client.createAccount({ onlyReturnExisting: true });
    if (contact !== undefined && !isDeepStrictEqual(known.contact, wanted.contact)) await client.updateAccount(wanted);
  } catch (error) {
    if (!(error instanceof AcmeFailure) || error.kind !== 'accountDoesNotExist') throw error;
    await client.createAccount({ ...terms, ...wanted });
  }
}
