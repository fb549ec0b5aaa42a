; "Open with Warrant" on folders in Explorer, for the user who installs; removed again on uninstall.
!macro customInstall
  WriteRegStr HKCU "Software\Classes\Directory\shell\Warrant" "" "Open with Warrant"
  WriteRegStr HKCU "Software\Classes\Directory\shell\Warrant" "Icon" "$INSTDIR\Warrant.exe"
  WriteRegStr HKCU "Software\Classes\Directory\shell\Warrant\command" "" '"$INSTDIR\Warrant.exe" "%1"'
!macroend

!macro customUnInstall
  DeleteRegKey HKCU "Software\Classes\Directory\shell\Warrant"
!macroend
