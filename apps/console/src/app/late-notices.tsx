import { useEffect, useState, type ComponentType, type ReactNode } from 'react';

/** Notices, loaded after the view: the first view does not wait for their files. */
export function LateNotices(): ReactNode {
  const [Loaded, setLoaded] = useState<ComponentType>();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let isGone = false;
    import('../notices/notices.js').then(
      ({ Notices }) => isGone || setLoaded(() => Notices),
      () => isGone || setFailed(true),
    );
    return () => {
      isGone = true;
    };
  }, []);
  if (failed) return <p role="alert">Alerts cannot be shown above the views: reload the page.</p>;
  return Loaded === undefined ? null : <Loaded />;
}
