import type { Call } from '../../calls/call.js';
import { sealedCall } from './sealed-call.js';

/** Columns with what {@link storedCall} needs, of a row of `calls`. */
export const STORED_CALL = 'call, case when call is null then packed_records end as sealed';

export interface StoredCallRow {
  /** Null when it is sealed, as all are but very large ones and those of older versions. */
  readonly call: Call | null;
  readonly sealed: Buffer | null;
}

/** Throws when it is damaged. */
export function storedCall({ call, sealed }: StoredCallRow): Call {
  if (call !== null) return call;
  if (sealed === null) throw new Error('a call is neither stored as it is nor sealed');
  return sealedCall(sealed);
}
