import { hash } from 'node:crypto';

/** An account at a sign-in provider (OpenID Connect Core, section 5.7: only both together name it, and never change). */
export interface ProviderAccount {
  readonly issuer: string;
  readonly subject: string;
}

/** The account at the provider with which a person signs in here. */
export interface Identity extends ProviderAccount {
  readonly username: string;
  /** When the person first signed in with it, milliseconds since 1970. */
  readonly boundAt: number;
}

/** The key of the account of a person. */
export function identityKey(username: string): string {
  return `identity-${Buffer.from(username).toString('base64url')}`;
}

/** The key under which the person of an account is found. */
export function accountKey({ issuer, subject }: ProviderAccount): string {
  return `account-${hash('sha256', JSON.stringify([issuer, subject]), 'base64url')}`;
}

export function isSameAccount(one: ProviderAccount, other: ProviderAccount): boolean {
  return one.issuer === other.issuer && one.subject === other.subject;
}

/** Undefined for everything but a stored identity. */
export function parseIdentity(value: unknown): Identity | undefined {
  const { issuer, subject, username, boundAt } = Object(value);
  const areTexts = typeof issuer === 'string' && typeof subject === 'string' && typeof username === 'string';
  return areTexts && typeof boundAt === 'number' ? { issuer, subject, username, boundAt } : undefined;
}
