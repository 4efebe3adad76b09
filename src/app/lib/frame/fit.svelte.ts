// How much larger than on a page something may be shown on a screen that has nothing else.
import { onMount } from 'svelte';

interface Fit {
  readonly scale: number;
  /** Nothing is shown at one size only to jump to another. */
  readonly isFitted: boolean;
}

interface Fitting {
  /** An element of the size of the screen; its first child is enlarged. */
  room: () => HTMLElement | undefined;
  /** The minimum width of the content, in its own pixels. */
  narrowest: () => number;
  /** Fits anew when this is another. */
  content: () => unknown;
}

const most = 4;

/** As large as width and height of the room allow. For the script of a component. */
export function fitted({ room, narrowest, content }: Fitting): Fit {
  let scale = $state(1);
  let isFitted = $state(false);
  /** Tries left: a larger scale makes the content narrower and so perhaps higher. */
  let tries = 0;

  function fit() {
    const outside = room();
    const inside = outside?.firstElementChild;
    if (!outside || !inside || tries-- <= 0) return;
    const own = inside.getBoundingClientRect().height / scale;
    const best = Math.max(1, Math.min(outside.clientHeight / own, outside.clientWidth / narrowest(), most));
    if (Math.abs(best / scale - 1) > 0.02) scale = best;
  }
  function anew() {
    tries = 5;
    fit();
  }

  $effect(() => {
    void content();
    let frame = requestAnimationFrame(() => {
      anew();
      frame = requestAnimationFrame(again);
    });
    const again = () => {
      const before = scale;
      fit();
      if (tries > 0 && scale !== before) frame = requestAnimationFrame(again);
      else isFitted = true;
    };
    return () => cancelAnimationFrame(frame);
  });
  onMount(() => {
    const size = new ResizeObserver(fit);
    const inside = room()?.firstElementChild;
    if (inside) size.observe(inside);
    addEventListener('resize', anew);
    return () => {
      size.disconnect();
      removeEventListener('resize', anew);
    };
  });

  return {
    get scale() {
      return scale;
    },
    get isFitted() {
      return isFitted;
    },
  };
}
