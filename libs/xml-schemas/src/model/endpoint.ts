import type { ENDPOINT_ROWS, FieldsOf } from '@ringdown/call-catalogue/fields';
import type { Extensions } from './extensions.js';

/** One party of a call as described by an event; what its fields mean is in the rows of the catalogue. */
export interface Endpoint extends FieldsOf<typeof ENDPOINT_ROWS> {
  readonly further?: Extensions;
}
