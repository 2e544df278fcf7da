/** Calls back when `/` is pressed outside of a text field; returns the function that ends it. */
export function onSlash(pressed: () => void): () => void {
  const onKeyDown = (event: KeyboardEvent): void => {
    const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    pressed();
  };
  document.addEventListener('keydown', onKeyDown);
  return () => document.removeEventListener('keydown', onKeyDown);
}
