/** The rule for a text where users are hidden (docs/records.md, "What is shown where users are hidden"). */
export type FieldHiding =
  | 'address'
  | 'callId'
  | 'flag'
  | 'host'
  | 'ip'
  | 'machineId'
  | 'nothing'
  | 'number'
  | 'product'
  | 'subnet'
  | 'text'
  | 'time';

/** One simple element of the feed, or `Element@Attribute`, and its field in the model. */
export interface FieldRow {
  readonly element: string;
  readonly field: string;
  readonly conversion: 'text' | 'integer' | 'number' | 'port' | 'boolean';
  /** The kind of its limit if it is a text; default: `text`. */
  readonly limit?: 'word' | 'host' | 'identifier' | 'address';
  /** Another spelling that is accepted when reading. */
  readonly alias?: string;
  /** If not all versions have it; `extension` is that of the last release of C and D. */
  readonly onlyIn?: '1.0' | 'D' | 'extension';
  /** Nothing but this keeps the name of a person, written into the field, from operators who must not see it. */
  readonly hiding: FieldHiding;
  /** For the tables and descriptions of docs/: a part of a sentence. */
  readonly brief: string;
}

interface TypeOf {
  readonly text: string;
  readonly integer: number;
  readonly number: number;
  readonly port: number;
  readonly boolean: boolean;
}

/** The fields of the rows, each of them optional. */
export type FieldsOf<Rows extends readonly FieldRow[]> = {
  readonly [Row in Rows[number] as Row['field']]?: TypeOf[Row['conversion']];
};
