import { CONNECTION_ROWS, ENDPOINT_ROWS } from '@ringdown/call-catalogue/fields';
import type { Endpoint } from './endpoint.js';
import type { FieldTable } from './field-table.js';
import type { ConnectionInfo } from './record.js';

export const ENDPOINT_FIELDS: FieldTable<Endpoint> = ENDPOINT_ROWS;

/** Without the front ends and pools, which are lists. */
export const CONNECTION_FIELDS: FieldTable<ConnectionInfo> = CONNECTION_ROWS;
