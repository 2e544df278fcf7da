import { element, textNode, type XmlNode } from './build-xml.js';
import type { FurtherFields } from './record.js';
import { isFieldName } from './values.js';

/** Elements made of {@link FurtherFields} again. */
export interface FurtherNode {
  text: string | undefined;
  readonly attributes: Map<string, string>;
  /** By name, and with a number where there are several of the name. */
  readonly children: Map<string, FurtherNode>;
}

/** Of nearly all elements; nothing is ever put into it. */
const NOTHING: FurtherNode = emptyNode();

/**
 * Turns the paths into a tree; its root stands for the element that holds the fields. Paths that are none of the feed's
 * are left out: they could not be read back, or break the document.
 */
export function furtherTree(further: FurtherFields | undefined): FurtherNode {
  if (further === undefined) return NOTHING;
  const root = emptyNode();
  for (const [path, text] of Object.entries(further)) {
    const [elements = '', attribute, ...rest] = path.split('@');
    const steps = elements === '' ? [] : elements.split('/');
    if (rest.length > 0 || !steps.every((step) => isFieldName(nameOf(step)))) continue;
    if (attribute === undefined ? steps.length === 0 : !isFieldName(attribute)) continue;
    const node = steps.reduce(childOf, root);
    if (attribute === undefined) node.text = text;
    else node.attributes.set(attribute, text);
  }
  return root;
}

export function furtherElements(node: FurtherNode): XmlNode[] {
  return [...node.children].map(([step, child]) => {
    const content = [...(child.text === undefined ? [] : [textNode(child.text)]), ...furtherElements(child)];
    return element(nameOf(step), content, Object.fromEntries(child.attributes));
  });
}

/** Takes a child out of the tree, so that it can be written together with what is known of it. */
export function takeChild(node: FurtherNode, name: string): FurtherNode {
  const child = node.children.get(name) ?? NOTHING;
  node.children.delete(name);
  return child;
}

function childOf(parent: FurtherNode, step: string): FurtherNode {
  const child = parent.children.get(step) ?? emptyNode();
  parent.children.set(step, child);
  return child;
}

function emptyNode(): FurtherNode {
  return { text: undefined, attributes: new Map(), children: new Map() };
}

function nameOf(step: string): string {
  return step.replace(/\[\d{1,4}\]$/, '');
}
