{
  # `nix run .` builds and runs plumb. The solver is the one of the Python package index that every other build uses, pinned by its
  # hash; the one of nixpkgs has another version.
  description = "Tells whether a C program is right without a specification";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      system = "x86_64-linux";
      pkgs = nixpkgs.legacyPackages.${system};
      version = (builtins.fromTOML (builtins.readFile ./Cargo.toml)).workspace.package.version;
      libraries = pkgs.lib.makeLibraryPath [ pkgs.stdenv.cc.cc.lib pkgs.glibc ];
      z3 = pkgs.fetchPypi {
        pname = "z3_solver";
        version = "5.4.0.0";
        format = "wheel";
        dist = "py3";
        python = "py3";
        platform = "manylinux_2_27_x86_64";
        sha256 = "0549ffad554178a59480ba41b5279cfbb27053ed5a2da269ae1a48214d5db34b";
      };
    in
    {
      packages.${system}.default = pkgs.rustPlatform.buildRustPackage {
        pname = "plumbline";
        inherit version;
        src = self;
        cargoLock.lockFile = ./Cargo.lock;
        nativeBuildInputs = [ pkgs.unzip pkgs.patchelf pkgs.makeWrapper pkgs.installShellFiles ];
        preBuild = ''
          unzip -q ${z3} -d wheel && mkdir -p .deps && mv wheel/z3 .deps/z3
          touch .deps/z3/.version-5.4.0.0
        '';
        cargoBuildFlags = [ "--bin" "plumb" ];
        # The tests compile and run C programs in a sandbox of their own, which that of the build does not allow.
        doCheck = false;
        postInstall = ''
          install -Dm644 .deps/z3/lib/libz3.so.5.4 $out/lib/plumbline/libz3.so.5.4
          patchelf --set-rpath ${libraries} $out/lib/plumbline/libz3.so.5.4
          patchelf --set-rpath '$ORIGIN/../lib/plumbline:${libraries}' $out/bin/plumb
          mkdir -p $out/share/plumbline && cp -r examples $out/share/plumbline/examples
          install -Dm644 LICENSE-MIT LICENSE-APACHE -t $out/share/doc/plumbline
          installShellCompletion --cmd plumb --bash <($out/bin/plumb completions bash) --zsh <($out/bin/plumb completions zsh) \
            --fish <($out/bin/plumb completions fish)
          $out/bin/plumb man -o man && installManPage man/*.1
          # C files need a compiler; the one on the path comes first.
          wrapProgram $out/bin/plumb --suffix PATH : ${pkgs.lib.makeBinPath [ pkgs.stdenv.cc ]}
        '';
        meta = {
          description = "Tells whether a C program is right without a specification";
          license = with pkgs.lib.licenses; [ mit asl20 ];
          mainProgram = "plumb";
          platforms = [ system ];
        };
      };
      checks.${system}.demo = pkgs.runCommand "plumb-demo" { } ''
        ${self.packages.${system}.default}/bin/plumb --version > $out
      '';
    };
}
