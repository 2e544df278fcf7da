import { isText, type Untrusted } from './foreign-json.js';

/**
 * Request and reply: whether a capture was uploaded under the name of a front end. An aggregator gives the process that reads
 * the capture a ticket, which it posts with its records; a collector requests what the ticket is for.
 */
export const UPLOADS_CHECK_PATTERN = 'ringdown.uploads.check';

/** The header of posts with the ticket. */
export const UPLOAD_TICKET_HEADER = 'Ringdown-Upload';

const TICKET = /^[\w.-]{1,512}$/;
const NAME_CHARACTERS = 255;

export interface UploadsCheckRequest {
  readonly ticket: string;
}

export interface UploadsCheckReply {
  /** Null: it is not a ticket of an aggregator, or no longer valid. */
  readonly frontEnd: string | null;
}

export function isUploadTicket(value: unknown): value is string {
  return typeof value === 'string' && TICKET.test(value);
}

/** Throws for a request without a ticket. */
export function readUploadsCheckRequest(value: unknown): UploadsCheckRequest {
  const { ticket }: Untrusted = { ...Object(value) };
  if (!isUploadTicket(ticket)) throw new Error('not a request about an upload');
  return { ticket };
}

/** Throws for a reply in the format of another version. */
export function readUploadsCheckReply(value: unknown): UploadsCheckReply {
  const { frontEnd }: Untrusted = { ...Object(value) };
  if (frontEnd === null || isText(frontEnd, 1, NAME_CHARACTERS)) return { frontEnd };
  throw new Error('the reply about an upload has an unknown format');
}
