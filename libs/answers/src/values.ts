/** @internal
 * @minLength 1 */
export type Text = string;
/** @internal
 * @asType integer */
export type Integer = number;
/** @internal
 * @asType integer
 * @minimum 0 */
export type Count = number;
/** @internal
 * @asType integer
 * @minimum 1 */
export type AtLeastOne = number;
/** @internal
 * @minimum 0 */
export type Amount = number;
/** @internal
 * @minimum 0
 * @maximum 1 */
export type Share = number;
/** @internal
 * @minimum 1
 * @maximum 5 */
export type Mos = number;
/**
 * ISO 8601, UTC, milliseconds
 * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
 */
export type Time = string;

export type OptionalTime = Time | null;

export type OptionalText = string | null;

/** Cursor of the next page, also if this page has fewer items than `limit`; null on the last page */
export type NextCursor = string | null;

export type Verdict = 'good' | 'poor' | 'bad' | 'unknown';
