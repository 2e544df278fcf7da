/** Authorities differ in the word for each of the ways in which they do not find the answer. */
const REACH =
  'lead the name to this machine, and its port 80 (http-01) or 443 (tls-alpn-01) to HTTP_PORT or PORT here; nothing else may answer there, no proxy and no firewall be in between';

/** What to do about it, by the kind of a failure: words of RFC 8555, section 6.7, and of ours. */
const REMEDIES: Readonly<Record<string, string>> = {
  // Of ours.
  unreachable: 'let this machine connect to the host of ACME_DIRECTORY (firewall, DNS), or correct ACME_DIRECTORY',
  untrusted: 'set ACME_CA_FILE to the root of the authority (PEM)',
  wrongTime: 'correct the clock of this machine, or of the authority',
  termsOfService: 'read them, and set ACME_TERMS=agreed',
  noChallenge: 'set ACME_CHALLENGE to one that it uses',
  slow: 'nothing: it is tried again; ask the authority if it lasts',
  disk: 'make room, and let the user of the system write the folder',
  unexpectedAnswer: 'set ACME_DIRECTORY to the directory of an authority for ACME, as its documents name it',
  // Of RFC 8555.
  accountDoesNotExist: 'remove tls/acme/account-key.pem in the data folder: another account is made',
  caa: 'add a CAA record that names the authority to the zone, or remove those that do not',
  connection: REACH,
  dns: 'add the name to its zone, with the address at which the authority reaches this machine; or remove it from ACME_HOSTS',
  externalAccountRequired: 'set ACME_EAB_KEY_ID and ACME_EAB_HMAC_KEY to what the authority gave you',
  incorrectResponse: REACH,
  invalidContact: 'set ACME_EMAIL to an address that exists',
  rateLimited: 'wait: it is tried again when the authority allows it; do not restart meanwhile',
  rejectedIdentifier: 'remove the name from ACME_HOSTS, or choose an authority that certifies it',
  serverInternal: 'nothing: it is tried again; ask the authority if it lasts',
  tls: REACH,
  unauthorized: REACH,
  userActionRequired: 'do what the authority asks for, at the address that it names',
};

export function remedyFor(kind: string): string {
  return REMEDIES[kind] ?? 'ask the authority; it is tried again';
}
