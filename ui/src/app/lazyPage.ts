import { type ComponentType, useEffect, useReducer, useState } from "react";

/** A component whose code is fetched when it is first needed. */
export interface LazyComponent<Props> {
  /** Null until the code is loaded. */
  Component: ComponentType<Props> | null;
  fetch: () => Promise<void>;
}

export function lazyComponent<Props = object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): LazyComponent<Props> {
  const lazy: LazyComponent<Props> = {
    Component: null,
    fetch: async () => {
      lazy.Component = (await load()).default;
    },
  };
  return lazy;
}

/**
 * Returns the component, or null while its code is loading; loading starts when `wanted` is true. It does not use
 * Suspense, because React delays the content behind a fallback until the fallback was shown for 300 ms, and this hook
 * is between a reader and every page. A failure to load is thrown to the error boundary above.
 */
export function useLazyComponent<Props>(lazy: LazyComponent<Props>, wanted = true): ComponentType<Props> | null {
  const [failure, setFailure] = useState<{ cause: unknown }>();
  const [, draw] = useReducer((times: number) => times + 1, 0);
  useEffect(() => {
    if (!wanted || lazy.Component) return;
    let waiting = true;
    lazy.fetch().then(
      () => waiting && draw(),
      (cause: unknown) => waiting && setFailure({ cause }),
    );
    return () => {
      waiting = false;
    };
  }, [lazy, wanted]);
  if (failure) throw failure.cause;
  return lazy.Component;
}
