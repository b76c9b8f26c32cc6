/**
 * Stands in for `radix-ui/internal` (see next.config.mjs), of which the chat's primitives use these. The whole of it
 * cannot be taken apart by a bundler, and the page would carry menus, popovers and focus scopes that nothing shows.
 */
export { composeEventHandlers } from '@radix-ui/primitive';
export * as Collection from '@radix-ui/react-collection';
export { useComposedRefs } from '@radix-ui/react-compose-refs';
export { Primitive } from '@radix-ui/react-primitive';
export { useCallbackRef } from '@radix-ui/react-use-callback-ref';
export { useControllableState } from '@radix-ui/react-use-controllable-state';
export { useEscapeKeydown } from '@radix-ui/react-use-escape-keydown';
