import { InterfaceError } from '@ringdown/http-server';
import type { IdentityHiding } from '@ringdown/identity-hiding';
import { principalOf } from '@ringdown/token-validation';
import type { VendorProfile } from '@ringdown/vendor-profile';
import { writeRecord } from '@ringdown/xml-schemas';
import { IsIn, IsOptional } from 'class-validator';
import type { FastifyRequest } from 'fastify';
import { queryErrors } from '../errors.js';
import type { CallWithRecords, StoredRecord } from '../store/call-queries.js';
import { all } from './query-fields.js';

export type Identities = 'hidden' | 'shown';

/** Whether users are hidden behind tokens. */
export const IdentitiesParameter = (): PropertyDecorator =>
  all(IsOptional(), IsIn(['hidden', 'shown'], { message: 'identities must be one of hidden,shown' }));

/** Parameters of routes that have no others. */
export class IdentitiesQuery {
  @IdentitiesParameter()
  identities?: Identities;
}

/** A call as one operator gets it. */
export type ShownCall = CallWithRecords['call'] & Omit<CallWithRecords, 'call'>;

/**
 * Who sees users: operators with the role `reveal`, and nobody who asks for `hidden`. What is not asked for is what the
 * role allows; exports, which are made to be given away, take `hidden` for what was not asked for.
 */
export class IdentityViews {
  constructor(
    private readonly hiding: IdentityHiding,
    private readonly profile: VendorProfile,
  ) {}

  /** Throws an {@link InterfaceError} to somebody who wants to see more than the role allows. */
  of(request: FastifyRequest, asked?: Identities): IdentityView {
    return new IdentityView(isShown(request, asked) ? undefined : this.hiding, this.profile);
  }
}

/** Throws an {@link InterfaceError} to somebody who wants to see more than the role allows. */
export function isShown(request: FastifyRequest, asked?: Identities): boolean {
  const may = principalOf(request).roles.includes('reveal');
  if (asked === 'shown' && !may) throw new InterfaceError(queryErrors.mayNotReveal);
  return may && asked !== 'hidden';
}

/** What one answer shows of users. */
export class IdentityView {
  constructor(
    private readonly hiding: IdentityHiding | undefined,
    private readonly profile: VendorProfile,
  ) {}

  get isShown(): boolean {
    return this.hiding === undefined;
  }

  data<T>(data: T): T {
    return this.hiding === undefined ? data : this.hiding.data(data);
  }

  text(text: string): string {
    return this.hiding === undefined ? text : this.hiding.text(text);
  }

  call({ call, records, ...more }: CallWithRecords): ShownCall {
    return { ...this.data({ ...call, ...more }), records: records.map((record) => this.record(record)) };
  }

  /** Hidden, a record is written anew out of what was read from it: only of that is it known where users stand. */
  private record({ content, ...record }: StoredRecord): StoredRecord {
    if (this.hiding === undefined) return record;
    if (content === undefined) throw new Error(`the record ${record.id} was read without its content`);
    return { ...record, xml: writeRecord(this.hiding.data(content), this.profile) };
  }
}
