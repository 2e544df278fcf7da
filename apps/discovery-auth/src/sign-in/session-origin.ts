import type { FastifyRequest } from 'fastify';

/** Where a person has signed in; shown to that person and to administrators. */
export interface SessionOrigin {
  readonly ip: string;
  readonly userAgent?: string;
}

const MAX_USER_AGENT_LENGTH = 256;
const UNSEEN = /[\p{Cc}\p{Cs}]/gu;

export function sessionOrigin({ ip, headers }: FastifyRequest): SessionOrigin {
  const userAgent = headers['user-agent']?.slice(0, MAX_USER_AGENT_LENGTH).replaceAll(UNSEEN, '').trim();
  return userAgent ? { ip, userAgent } : { ip };
}
