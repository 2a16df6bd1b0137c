import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { Conversation } from "./conversation";

/** So near to the end counts as there. */
const NEAR_PX = 60;

function fromEnd(): number {
  return document.documentElement.scrollHeight - scrollY - innerHeight;
}

/** Keeps the end in sight while words come in, unless the visitor scrolled away from it. */
export function useFollow(conversation: Conversation): { isAway: boolean; toEnd: () => void } {
  const follows = useRef(false);
  /** Where the page was when it was last looked at or moved. */
  const top = useRef(0);
  const shown = useRef(conversation.id);
  const [isAway, setAway] = useState(false);
  const toEnd = useCallback(() => {
    follows.current = true;
    scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" });
    top.current = scrollY;
  }, []);
  useEffect(() => {
    const look = () => {
      const isNear = fromEnd() < NEAR_PX;
      follows.current = isNear;
      top.current = scrollY;
      setAway(!isNear);
    };
    look();
    addEventListener("scroll", look, { passive: true });
    return () => removeEventListener("scroll", look);
  }, []);
  useLayoutEffect(() => {
    const isOther = shown.current !== conversation.id;
    shown.current = conversation.id;
    // Words may come in before the event that tells of a visitor's scrolling up; following would undo it.
    if (scrollY < top.current - 1 && fromEnd() >= NEAR_PX) follows.current = false;
    if (follows.current || isOther) toEnd();
    else setAway(fromEnd() >= NEAR_PX);
  }, [conversation, toEnd]);
  return useMemo(() => ({ isAway, toEnd }), [isAway, toEnd]);
}
