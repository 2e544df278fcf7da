import type { Extensions } from '../model/extensions.js';
import { isFieldName } from '../model/values.js';
import { element, textNode, type XmlNode } from './build-xml.js';

/** Elements rebuilt from {@link Extensions}. */
export interface ExtensionNode {
  text: string | undefined;
  readonly attributes: Map<string, string>;
  /** By name, and with a number if there are several of the name. */
  readonly children: Map<string, ExtensionNode>;
}

/** Shared by nearly all elements; it is never changed. */
const NOTHING: ExtensionNode = emptyNode();

/**
 * Converts the paths to a tree; its root represents the element that contains the fields. Invalid paths are left out:
 * they could not be read back, or would break the document.
 */
export function extensionTree(extensions: Extensions | undefined): ExtensionNode {
  if (extensions === undefined) return NOTHING;
  const root = emptyNode();
  for (const [path, text] of Object.entries(extensions)) {
    const [elements = '', attribute, ...rest] = path.split('@');
    const steps = elements === '' ? [] : elements.split('/');
    if (rest.length > 0 || !steps.every((step) => isFieldName(stepName(step)))) continue;
    if (attribute === undefined ? steps.length === 0 : !isFieldName(attribute)) continue;
    const node = steps.reduce(ensureChild, root);
    if (attribute === undefined) node.text = text;
    else node.attributes.set(attribute, text);
  }
  return root;
}

export function extensionElements(node: ExtensionNode): XmlNode[] {
  return [...node.children].map(([step, child]) => {
    const content = [...(child.text === undefined ? [] : [textNode(child.text)]), ...extensionElements(child)];
    return element(stepName(step), content, Object.fromEntries(child.attributes));
  });
}

/** Removes a child from the tree, so that it can be written together with its known fields. */
export function detachChild(node: ExtensionNode, name: string): ExtensionNode {
  const child = node.children.get(name) ?? NOTHING;
  node.children.delete(name);
  return child;
}

function ensureChild(parent: ExtensionNode, step: string): ExtensionNode {
  const child = parent.children.get(step) ?? emptyNode();
  parent.children.set(step, child);
  return child;
}

function emptyNode(): ExtensionNode {
  return { text: undefined, attributes: new Map(), children: new Map() };
}

function stepName(step: string): string {
  return step.replace(/\[\d{1,4}\]$/, '');
}
