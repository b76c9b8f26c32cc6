/**
 * Replaces `radix-ui/internal` (see next.config.mjs), of which assistant-ui uses only these exports. A bundler cannot
 * tree-shake the original, so the page would contain unused menus, popovers, and focus scopes.
 */
export { composeEventHandlers } from '@radix-ui/primitive';
export * as Collection from '@radix-ui/react-collection';
export { useComposedRefs } from '@radix-ui/react-compose-refs';
export { Primitive } from '@radix-ui/react-primitive';
export { useCallbackRef } from '@radix-ui/react-use-callback-ref';
export { useControllableState } from '@radix-ui/react-use-controllable-state';
export { useEscapeKeydown } from '@radix-ui/react-use-escape-keydown';
