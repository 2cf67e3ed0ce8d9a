import { type ComponentProps, useRef } from "react";
import { Button } from "./Button";

interface FileButtonProps extends Omit<ComponentProps<typeof Button>, "onClick"> {
  /** The file name extensions that the browser's picker offers. */
  accept: string;
  onFile: (file: File) => void;
}

/** A button that opens the browser's file picker, where a drop area would be too large. */
export function FileButton({ accept, onFile, ...button }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button {...button} onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        accept={accept}
        hidden
        onChange={({ target }) => {
          const file = target.files?.[0];
          // The same file can be chosen again.
          target.value = "";
          if (file) onFile(file);
        }}
      />
    </>
  );
}
