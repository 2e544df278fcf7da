import { Fragment, type ReactNode } from 'react';

/** Of the private use area: no text has it. */
const SLOT = '\uE000';

/** A sentence of the catalogue with elements in place of its values, as a link or a key. */
export function filled<A extends readonly string[]>(
  text: (...values: A) => string,
  ...nodes: { readonly [K in keyof A]: ReactNode }
): ReactNode {
  const slots = nodes.map((_, at) => `${SLOT}${at}${SLOT}`);
  // As many slots as the text has values: the type of the nodes has their number.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const pieces = text(...(slots as unknown as A)).split(SLOT);
  // Keys by position are right: the pieces of a sentence do not move.
  // oxlint-disable-next-line react/no-array-index-key
  return pieces.map((piece, at) => <Fragment key={at}>{at % 2 === 0 ? piece : nodes[Number(piece)]}</Fragment>);
}
